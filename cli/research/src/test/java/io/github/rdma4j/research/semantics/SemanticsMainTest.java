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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /** What every command says, and what it does not, among the tables of the repository. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            show                                     | RESPONDED_PEER_GONE; RESOLVE_ROUTE_TIMEOUT_0 | -
            show ESTABLISHED DISCONNECT              | established, active; 6.1, 6.12, 7.2, 7.2-ib: OK, peer DISCONNECTED | QUERY
            show BOUND WRITE_CM_EVENT                | 6.1, 6.12: EINVAL; 7.2, 7.2-ib: OK, USER(7) | -
            show BOUND WRITE_CM_EVENT --kernel=7.2   | OK, USER(7) | EINVAL
            show MIGRATED* CONNECT --kernel=6.12,7.2 | 6.12, 7.2: EINVAL; 6.12, 7.2: OK; for the state ROUTE_RESOLVED only | -
            show ud_* listen --result=OK             | UD_BOUND: | UD_CONNECTING; EINVAL
            show DEVICE_REMOVED MIGRATE_ID           | REMOVED_BOUND: ; REMOVED_ESTABLISHED: | -
            show c1                                  | C1: ; predicted; observed; CONFIRMED | -
            show i3                                  | ROUTE_ERROR(-110); CONFIRMED | not recorded
            diff                                     | 6.1 -> 7.2: ; QUERY_IB_SERVICE: ENOSYS  ->  ENODATA | -
            diff 6.1 7.2 * QUERY_IB_SERVICE          | cells differ; QUERY_IB_SERVICE: ENOSYS  ->  ENODATA | WRITE_CM_EVENT; behaviours
            diff 7.2 7.2-ib BOUND_LOOPBACK           | 7.2 -> 7.2-ib: ; RESOLVE_ADDR: OK, ADDR_ERROR(-19)  ->  OK, ADDR_RESOLVED | -
            diff 6.12 7.2 MIGRATED* CONNECT          | 6.12 -> 7.2: no difference | -
            diff --kernel=6.12                       | 6.1 -> 6.12: 0 cells and | -
            record --help                            | Usage: rdma4j semantics record | -
            find migrate                             | Commands:; Behaviours:; C63: ; Notes:; after its device was removed; Outcomes: | -
            find Private DATA                        | CONNECT_REQUEST: | Situations:
            """)
    void says(String line, String expected, @Nullable String unexpected) {
        assertThat(run(line.split(" "))).isZero();
        assertThat(out.toString()).contains(expected.split("; "));
        if (unexpected != null) {
            assertThat(out.toString()).doesNotContain(unexpected.split("; "));
        }
    }

    @Test
    void showsAnEvent() {
        assertThat(run("show", "--event", "rejected")).isZero();
        assertThat(out.toString())
                .containsPattern("Status +8 \\([^)]+\\), 10 \\([^)]+\\), 28 \\([^)]+\\), 35 \\([^)]+\\)")
                .contains("148 bytes", "REJECTED_UNSEEN", "C41   a rejection");
    }

    @Test
    void findsAllWordsOnly() {
        assertThat(run("find", "private", "platypus")).isEqualTo(1);
        assertThat(err.toString()).contains("nothing contains private and platypus");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            show --event=REJECT          | no event 'REJECT'; did you mean REJECTED; TIMEWAIT_EXIT
            show LISTEN                  | no situation 'LISTEN'; did you mean LISTENING; TIME_WAIT_OVER
            show IDLE FLY                | no command 'FLY'; RESOLVE_ADDR
            show IDLE N*E                | no command 'N*E'; RESOLVE_ADDR
            show IDLE --kernel=5.10      | no table of kernel 5.10; 6.1, 6.12, 7.2
            show C95                     | no behaviour C95; C1 to C94
            compare --on=moon            | --help
            compare 6.1 --on=host        | --help
            diff 6.1 6.1                 | --help
            diff --kernel=6.1            | --help
            diff 6.1 --kernel=7.2        | --help
            diff 6.1 7.2 CONNECT         | --help
            diff 4.19                    | --help
            diff --kernel 4.19           | --help
            record --kernel=5.10         | --help
            record --passes=0            | --help
            record --situation=FLY       | --help
            record --behaviour=C0        | --help
            record --device=siw          | --help
            record --device=ib --on=host | --help
            """)
    void refusesWhatCannotBe(String line, String complaint) {
        isUsageError(line.split(" "));
        assertThat(err.toString()).contains(complaint.split("; ")).doesNotContain("NONE");
    }

    @Test
    void writesTheExplorer(@TempDir Path directory) {
        assertThat(run("site", "-o", directory.resolve("site").toString())).isZero();
        assertThat(directory.resolve("site/index.html")).isRegularFile();
        assertThat(out.toString().strip())
                .isEqualTo(directory.resolve("site/index.html").toString());
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
}
