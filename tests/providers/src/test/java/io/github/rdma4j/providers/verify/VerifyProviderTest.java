// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.providers.mlx5.Mlx5Mode;
import io.github.rdma4j.providers.script.CLibrary;
import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.providers.script.Mode;
import io.github.rdma4j.providers.script.RandomScript.Life;
import io.github.rdma4j.support.HelpPage;
import io.github.rdma4j.support.Nightly;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class VerifyProviderTest {
    private static final Mode CQE0 = Mlx5Mode.CQE0;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(VerifyProvider.PeerBuilder peer, String... arguments) {
        CommandLine line = VerifyProvider.commandLine(peer);
        return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    }

    /** As the library, with the last digit of the first doorbell changed. */
    private static Comparison.Peer withAWrongDoorbell(Driver driver, Path directory)
            throws IOException, InterruptedException {
        CLibrary c = CLibrary.build(driver, directory);
        return (mode, script) -> {
            List<String> output = new ArrayList<>(c.play(mode, script));
            int at = 0;
            while (!output.get(at).startsWith("  doorbell ")) {
                at++;
            }
            output.set(at, output.get(at).substring(0, output.get(at).length() - 1) + "x");
            return output;
        };
    }

    @Test
    void comparesAsManyOperationsAsAskedFor() {
        int status = run(
                (driver, directory) -> CLibrary.build(driver, directory)::play,
                "mlx5",
                "--lines",
                "2000",
                "--seed",
                "7");

        assertThat(err.toString()).isEmpty();
        assertThat(out.toString()).contains("mlx5, seed 7, 667 operations in each mode: roce, infiniband, cqe0");
        assertThat(out.toString()).containsPattern("no difference in 2,\\d{3} operations, .* seed 7");
        assertThat(status).isZero();
    }

    @Test
    void showsBothSidesOfADifference() throws IOException {
        int status =
                run(VerifyProviderTest::withAWrongDoorbell, "mlx5", "--lines", "600", "--seed", "8", "--mode", "cqe0");

        assertThat(status).isEqualTo(1);
        assertThat(out.toString())
                .containsPattern("DIFFERENCE: mode cqe0, script -?\\d+, 600 lines, line \\d+")
                .containsPattern("\n  operation: (send|arm) ")
                .containsPattern("\n  queue:     (qp|cq) ")
                .containsPattern("\n  Java:   doorbell .*[0-9a-f]\n  C:      doorbell .*x\n +\\^")
                .containsPattern("repeat: +./rdma4j verify provider mlx5 --mode cqe0 --script -?\\d+ --lines 600");
        deleteWhatWasKept();
    }

    /** Deletes the output of both sides, which a difference keeps for its reader. */
    private void deleteWhatWasKept() throws IOException {
        String[] diff = out.toString()
                .lines()
                .filter(line -> line.contains("all output: "))
                .findFirst()
                .orElseThrow()
                .trim()
                .split(" ", -1);
        assertThat(Path.of(diff[3])).isNotEmptyFile();
        assertThat(Path.of(diff[4])).isNotEmptyFile();
        Files.delete(Path.of(diff[3]));
        Files.delete(Path.of(diff[4]));
        Files.delete(Path.of(diff[4]).getParent());
    }

    @Test
    void anOutputThatEndsEarlyIsADifference() throws IOException, InterruptedException {
        Comparison comparison = Comparison.of(new Script(CQE0, 9, 100), (mode, script) -> List.of());

        assertThat(comparison.difference())
                .hasValueSatisfying(text ->
                        assertThat(text).contains("line 1 of the output").contains("(the output has ended)"));
    }

    /** Runs with seeds one apart, and the modes of a run, have nothing in common. */
    @Test
    void neighboursShareNoScript() {
        List<Mode> modes = Mlx5Mode.DRIVER.modes();
        List<Script> scripts = new ArrayList<>();
        for (long seed = -50; seed < 50; seed++) {
            scripts.addAll(Script.campaign(modes, seed, 250_000));
        }

        assertThat(scripts).extracting(Script::seed).doesNotHaveDuplicates();
        assertThat(scripts.stream().filter(script -> script.life() == Life.LONG))
                .hasSize(100 * modes.size());
        assertThat(Script.campaign(modes, 7, 250_000).stream()
                        .mapToInt(Script::lines)
                        .sum())
                .isEqualTo(250_000 * modes.size());
    }

    @Nightly
    @Test
    void repeatsTheScriptThatAMessageNames() throws IOException {
        int status = run(
                VerifyProviderTest::withAWrongDoorbell,
                "mlx5",
                "--mode",
                "cqe0",
                "--script",
                "-8",
                "--long",
                "--lines",
                "300");

        assertThat(status).isEqualTo(1);
        assertThat(out.toString())
                .contains("DIFFERENCE: mode cqe0, script -8 of long lives, 300 lines, line ")
                .contains("--mode cqe0 --script -8 --long --lines 300");
        deleteWhatWasKept();
    }

    @Test
    void saysWithWhichScriptAPeerFailed() {
        int status = run(
                (driver, directory) -> (mode, script) -> {
                    throw new IOException("out of order");
                },
                "mlx5",
                "--mode",
                "infiniband",
                "--seed",
                "-4",
                "--lines",
                "50");

        assertThat(status).isEqualTo(1);
        assertThat(err.toString())
                .containsPattern("mode infiniband, script -?\\d+, 50 lines: ")
                .contains("out of order");
    }

    @ParameterizedTest
    @CsvSource({
        "--lines, 0, '--lines 0 is not from 1 to 1000000000'",
        "--lines, 1000000001, '--lines 1000000001 is not from 1 to 1000000000'",
        "--mode, ethernet, '--mode ethernet is not one of roce, infiniband, cqe0'"
    })
    void saysWhatItTakes(String option, String value, String message) {
        int status = run((driver, directory) -> (mode, script) -> List.of(), "mlx5", option, value);

        assertThat(status).isEqualTo(2);
        assertThat(err.toString()).contains("rdma4j: " + message).contains("./rdma4j verify provider --help");
    }

    @Test
    void thePageOfHelpIsWhatTheCommandPrints() {
        HelpPage.requireSame(
                "verify-provider",
                VerifyProvider.commandLine((driver, directory) -> (mode, script) -> List.of())
                        .getUsageMessage());
    }

    @Test
    void saysWhichDriversThereAre() {
        int status = run((driver, directory) -> (mode, script) -> List.of(), "mlx9");

        assertThat(status).isEqualTo(2);
        assertThat(err.toString()).contains("rdma4j: 'mlx9' is not one of mlx5");
    }
}
