// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.run.GuestRun;
import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.cli.verify.CardCommand;
import io.github.rdma4j.providers.card.CardThread;
import io.github.rdma4j.providers.card.Timing;
import io.github.rdma4j.providers.card.Timing.Defect;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.Mlx5Settings;
import io.github.rdma4j.support.NewSeed;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code verify card} on a ConnectX in software, which has no connection manager. */
@Tag("slow")
class VerifyCardTest {
    private static final int OPERATIONS = 43;

    /** With those of the connection manager, and those of libibverbs. */
    private static final int PROGRAMS = 19;

    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private static RunningCommand run(CardKernel kernel, String arguments) throws InterruptedException {
        return RunningCommand.run(new CardCommand(kernel::kernel), arguments);
    }

    private RunningCommand verify(Mlx5Settings settings) throws InterruptedException {
        CardKernel kernel = new CardKernel(settings);
        try (CardThread device = CardThread.start(kernel.card())) {
            assertThat(device).isNotNull();
            return run(kernel, "--report " + directory.resolve("report"));
        }
    }

    private List<String> report() throws Exception {
        return Files.readAllLines(directory.resolve("report"));
    }

    private static List<String> results(List<String> report, String result) {
        return report.stream()
                .filter(line -> line.contains(" | " + result + " | "))
                .toList();
    }

    @Test
    void everyOperationPasses() throws Exception {
        int status = verify(new Mlx5Settings()).status();

        assertThat(results(report(), "**FAILED**")).isEmpty();
        assertThat(results(report(), "passed")).hasSize(OPERATIONS);
        assertThat(results(report(), "left out"))
                .hasSize(PROGRAMS)
                .allMatch(line -> line.contains("the device is not one of this machine's kernel"));
        assertThat(report())
                .startsWith("## rdma4j verify card: 43 passed, 0 FAILED, 19 left out")
                .endsWith("The run came to its end.");
        assertThat(String.join("\n", report()))
                .as("nothing private")
                .doesNotContain(CardKernel.IPV4)
                .doesNotContain(InetAddress.getLocalHost().getHostName());
        assertThat(status).isZero();
    }

    /** And the device is paced by a seed. */
    @Test
    void saysWhatTheDeviceDoesNotHave() throws Exception {
        int status = verify(new Mlx5Settings().withoutAtomics().timing(Timing.hostile(NewSeed.of("VerifyCardTest"))))
                .status();

        assertThat(report())
                .contains(
                        "| RC: fetch and add | left out |  | not on this device: it has no atomics |",
                        "| RC: compare and swap | left out |  | not on this device: it has no atomics |");
        assertThat(results(report(), "passed")).hasSize(OPERATIONS - 2);
        assertThat(results(report(), "**FAILED**")).isEmpty();
        assertThat(status).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "TURNS_BITS, 'RC: send, 0 bytes to 1 MiB', is wrong",
        "IGNORES_FENCES, RC: a fence waits for reads, the data of the read was sent before it had come"
    })
    void findsABrokenDevice(Defect defect, String check, String why) throws Exception {
        RunningCommand run = verify(new Mlx5Settings().timing(Timing.broken(defect)));

        assertThat(run.end(1)).contains(" FAILED, ", "please paste it into an issue");
        assertThat(results(report(), "**FAILED**")).anyMatch(line -> line.contains(check));
        assertThat(report()).contains("### " + check).anyMatch(line -> line.contains(why));
        assertThat(results(report(), "passed")).isNotEmpty();
    }

    /** The first check waits in vain, and uses up the time of the run. */
    @Test
    void endsThoughADeviceDoesNothing() throws Exception {
        run(new CardKernel(new Mlx5Settings()), "--limit 1 --report " + directory.resolve("report"))
                .end(1);
        assertThat(report().get(0)).startsWith("## rdma4j verify card: 0 passed, 1 FAILED, ");
        assertThat(report()).anyMatch(line -> line.contains("the time limit of the run is over"));
    }

    @Test
    void leavesWhatItHasWhenItIsInterrupted() throws Exception {
        String file = directory.resolve("report").toString();
        List<String> line =
                GuestRun.commandLine(SoftwareCard.class.getName(), GuestRun.SHORT_LIVED, List.of("--report", file));
        try (PeerProcess command = PeerProcess.start(line)) {
            command.awaitOutput("RC: send, 0 bytes to 1 MiB", LIMIT);
            command.process().destroy();
            assertThat(command.await(LIMIT)).isNotZero();
        }
        assertThat(report())
                .anyMatch(result -> result.startsWith("| RC: send, 0 bytes to 1 MiB | passed |"))
                .endsWith("The run was interrupted.");
    }

    @Test
    void saysThatThereIsNoSuchDevice() throws Exception {
        assertThat(run(new CardKernel(new Mlx5Settings()), "mlx5_7").end(1)).contains("mlx5_7");
    }

    @Test
    void saysThatThereIsNoProvider() throws Exception {
        assertThat(run(new CardKernel(new Mlx5Settings().driverAbi(9)), Mlx5Settings.DEVICE)
                        .end(1))
                .contains("there is no provider for its driver, mlx5 with ABI 9");
    }
}
