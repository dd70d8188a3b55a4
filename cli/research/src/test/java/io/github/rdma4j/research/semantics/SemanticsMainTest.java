// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.rdma4j.research.semantics.kernel.HostKernel;
import io.github.rdma4j.support.HelpPage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command line, as far as it needs no guest. */
class SemanticsMainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine command = SemanticsMain.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    @Test
    void thePageOfHelpIsWhatTheCommandPrints() {
        HelpPage.requireSame("semantics", SemanticsMain.commandLine().getUsageMessage());
    }

    private void isUsageError(String... arguments) {
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).startsWith("rdma4j: ").contains("--help");
    }

    @Test
    void showsACell() {
        assertThat(run("show", "ESTABLISHED", "DISCONNECT")).isZero();
        assertThat(out.toString())
                .contains("established, active", "OK, peer DISCONNECTED")
                .doesNotContain("QUERY");
    }

    @Test
    void showsKernelsThatDifferOneByOne() {
        assertThat(run("show", "BOUND", "WRITE_CM_EVENT")).isZero();
        assertThat(out.toString()).contains("6.1, 6.12: EINVAL", "7.2, 7.2-ib: OK, USER(7)");
    }

    @Test
    void namesTheKernelsWhereTheyAgree() {
        assertThat(run("show", "ESTABLISHED", "DISCONNECT")).isZero();
        assertThat(out.toString()).contains("6.1, 6.12, 7.2, 7.2-ib: OK, peer DISCONNECTED");
    }

    @Test
    void saysWhichMigrationsWereRecorded() {
        assertThat(run("show", "MIGRATED*", "CONNECT", "--kernel=6.12,7.2")).isZero();
        assertThat(out.toString())
                .contains("6.12, 7.2: EINVAL", "6.12, 7.2: OK")
                .contains("after a migration was recorded for the state ROUTE_RESOLVED only");
    }

    @Test
    void comparesOneCommand() {
        assertThat(run("diff", "6.1", "7.2", "*", "QUERY_IB_SERVICE")).isZero();
        assertThat(out.toString())
                .startsWith("6.1 -> 7.2: ")
                .contains(" cells differ", "QUERY_IB_SERVICE: ENOSYS  ->  ENODATA")
                .doesNotContain("WRITE_CM_EVENT", "behaviours");
    }

    @Test
    void comparesRoceWithInfiniBand() {
        assertThat(run("diff", "7.2", "7.2-ib", "BOUND_LOOPBACK")).isZero();
        assertThat(out.toString())
                .startsWith("7.2 -> 7.2-ib: ")
                .contains("RESOLVE_ADDR: OK, ADDR_ERROR(-19)  ->  OK, ADDR_RESOLVED");
    }

    @Test
    void showsABehaviourOfInfiniBand() {
        assertThat(run("show", "i3")).isZero();
        assertThat(out.toString()).contains("ROUTE_ERROR(-110)", "CONFIRMED").doesNotContain("not recorded");
    }

    @Test
    void saysThatNothingDiffers() {
        assertThat(run("diff", "6.12", "7.2", "MIGRATED*", "CONNECT")).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("6.12 -> 7.2: no difference");
    }

    @Test
    void showsOneKernel() {
        assertThat(run("show", "BOUND", "WRITE_CM_EVENT", "--kernel=7.2")).isZero();
        assertThat(out.toString()).contains("OK, USER(7)").doesNotContain("EINVAL");
    }

    @Test
    void takesPatternsAndFiltersByOutcome() {
        assertThat(run("show", "ud_*", "listen", "--result=OK")).isZero();
        assertThat(out.toString()).contains("UD_BOUND: ").doesNotContain("UD_CONNECTING", "EINVAL");
    }

    @Test
    void takesAStateOfTheLibrary() {
        assertThat(run("show", "DEVICE_REMOVED", "MIGRATE_ID")).isZero();
        assertThat(out.toString()).contains("REMOVED_BOUND: ", "REMOVED_ESTABLISHED: ");
    }

    @Test
    void showsABehaviour() {
        assertThat(run("show", "c1")).isZero();
        assertThat(out.toString()).contains("C1: ", "predicted", "observed", "CONFIRMED");
    }

    @Test
    void showsAnEvent() {
        assertThat(run("show", "--event", "rejected")).isZero();
        assertThat(out.toString())
                .containsPattern("Status +8 \\([^)]+\\), 10 \\([^)]+\\), 28 \\([^)]+\\), 35 \\([^)]+\\)")
                .contains("148 bytes", "REJECTED_UNSEEN", "C41   a rejection");
    }

    @Test
    void namesTheEventsThatThereAre() {
        isUsageError("show", "--event=REJECT");
        assertThat(err.toString()).contains("no event 'REJECT'", "did you mean REJECTED", "TIMEWAIT_EXIT");
    }

    @Test
    void findsInWhatWasRecordedAndNoted() {
        assertThat(run("find", "migrate")).isZero();
        assertThat(out.toString())
                .contains("Commands:", "Behaviours:", "C63: ", "Notes:", "after its device was removed", "Outcomes:");
    }

    @Test
    void findsAllWordsOnly() {
        assertThat(run("find", "Private", "DATA")).isZero();
        assertThat(out.toString()).contains("CONNECT_REQUEST: ").doesNotContain("Situations:");
        assertThat(run("find", "private", "platypus")).isEqualTo(1);
        assertThat(err.toString()).contains("nothing contains private and platypus");
    }

    @Test
    void writesTheExplorer(@TempDir Path directory) {
        assertThat(run("site", "-o", directory.resolve("site").toString())).isZero();
        assertThat(directory.resolve("site/index.html")).isRegularFile();
        assertThat(out.toString().strip())
                .isEqualTo(directory.resolve("site/index.html").toString());
    }

    @Test
    void listsSituationsAndCommands() {
        assertThat(run("show")).isZero();
        assertThat(out.toString()).contains("RESPONDED_PEER_GONE", "RESOLVE_ROUTE_TIMEOUT_0");
    }

    @Test
    void namesTheSituationsThatThereAre() {
        isUsageError("show", "LISTEN");
        assertThat(err.toString()).contains("no situation 'LISTEN'", "did you mean LISTENING", "TIME_WAIT_OVER");
    }

    @Test
    void namesTheCommandsThatThereAre() {
        isUsageError("show", "IDLE", "FLY");
        assertThat(err.toString()).contains("no command 'FLY'", "RESOLVE_ADDR").doesNotContain("NONE");
    }

    @Test
    void namesTheKernelsThatThereAre() {
        isUsageError("show", "IDLE", "--kernel=5.10");
        assertThat(err.toString()).contains("no table of kernel 5.10", "6.1, 6.12, 7.2");
    }

    @Test
    void namesTheBehavioursThatThereAre() {
        isUsageError("show", "C95");
        assertThat(err.toString()).contains("no behaviour C95", "C1 to C94");
    }

    @Test
    void comparesTheOldestWithTheNewestKernel() {
        assertThat(run("diff")).isZero();
        assertThat(out.toString()).startsWith("6.1 -> 7.2: ").contains("QUERY_IB_SERVICE: ENOSYS  ->  ENODATA");
    }

    @Test
    void comparesAKernelWithTheOneBeforeIt() {
        assertThat(run("diff", "--kernel=6.12")).isZero();
        assertThat(out.toString()).startsWith("6.1 -> 6.12: 0 cells and ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "diff 6.1 6.1",
                "diff --kernel=6.1",
                "diff 6.1 --kernel=7.2",
                "diff 6.1 7.2 CONNECT",
                "diff 4.19",
                "diff --kernel 4.19"
            })
    void refusesInvalidDiffArguments(String line) {
        isUsageError(line.split(" ", -1));
    }

    @Test
    void readsTablesOfAnotherKernel(@TempDir Path directory) throws IOException {
        Files.write(
                Tables.file(directory, "6.18"),
                List.of(
                        "# kernel 6.18.1",
                        "IDLE\tNONE\t-\t-\t-\t-",
                        "IDLE\tBIND\tEIO\tUSER(7)\t-\t-",
                        "C1\tsomething"));
        assertThat(run("show", "IDLE", "BIND", "--tables=" + directory)).isZero();
        assertThat(out.toString()).contains("6.18: EIO, USER(7)");
        assertThat(run("show", "IDLE", "--kernel=6.18", "--tables=" + directory))
                .isZero();
        assertThat(out.toString()).contains("not recorded");
        assertThat(run("diff", "6.12", "6.18", "--tables=" + directory)).isZero();
        assertThat(out.toString()).contains("6.18: something");
    }

    @Test
    void refusesInvalidTables(@TempDir Path directory) throws IOException {
        Files.writeString(Tables.file(directory, "6.18"), "# kernel 6.18.1\nIDLE\tFLY\t-\t-\t-\t-\n");
        isUsageError("show", "--kernel=6.18", "--tables=" + directory);
        isUsageError("show", "--tables=" + directory.resolve("missing"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "record --kernel=5.10",
                "record --passes=0",
                "record --situation=FLY",
                "record --behaviour=C0",
                "record --device=siw",
                "record --device=ib --on=host"
            })
    void refusesInvalidRecordArguments(String line) {
        isUsageError(line.split(" ", -1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "record --help", "show --help", "diff --help"})
    void helps(String line) {
        assertThat(run(line.split(" ", -1))).isZero();
        assertThat(out.toString()).startsWith("Usage: rdma4j semantics");
    }

    @Test
    void comparesAKernelWithTheRecordedReleases(@TempDir Path directory) throws Exception {
        List<String> lines = new ArrayList<>(
                Objects.requireNonNull(Tables.committed().bySeries().get("6.12"))
                        .toLines());
        lines.set(0, "# kernel 6.18.3-example");
        lines.replaceAll(line -> line.startsWith("ESTABLISHED\tDISCONNECT\t") ? line.replace("OK", "EBUSY") : line);
        Files.write(directory.resolve("kernel-6.18.tsv"), lines);
        assertThat(run("compare", "6.18", "--tables=" + directory)).isZero();
        assertThat(out.toString())
                .contains(
                        "# What kernel 6.18.3-example does differently",
                        "The nearest release with a recorded table is 6.12")
                .contains("| 6.12.107+deb13-amd64 | 1 | 0 |", "| ESTABLISHED | DISCONNECT | EBUSY")
                .contains("## Compared with 7.2.13+deb14-amd64");
        assertThat(out.toString().indexOf("with 6.12"))
                .isLessThan(out.toString().indexOf("with 6.1.0"));
        assertThat(out.toString().indexOf("with 6.1.0"))
                .isLessThan(out.toString().indexOf("with 7.2"));
        assertThat(directory.resolve("kernel-6.18.md")).hasContent(out.toString());
    }

    @Test
    void saysThatTheKernelWasNotRecorded(@TempDir Path directory) {
        isUsageError("compare", "6.18", "--tables=" + directory);
        assertThat(err.toString()).contains("kernel-6.18.tsv", "./rdma4j semantics record");
    }

    @Test
    void saysWhatThisMachineLacks(@TempDir Path directory) {
        assumeThat(HostKernel.missing()).isNotEmpty();
        assertThat(run("compare", "--on=host", "--tables=" + directory)).isEqualTo(1);
        assertThat(err.toString())
                .contains("this machine cannot be recorded", "rdma link add rxe0 type rxe netdev veth0");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aKernelIsRecordedInGuestsOrHere() {
        isUsageError("compare", "--on=moon");
        isUsageError("compare", "6.1", "--on=host");
    }
}
