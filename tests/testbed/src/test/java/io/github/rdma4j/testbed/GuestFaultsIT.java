// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.support.Nightly;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What happens to programs and tests whose guest, or whose machine, has not enough, or is killed. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Nightly
class GuestFaultsIT {
    private static final String SAMPLES = "io.github.rdma4j.testbed.junit.GuestSamples$";

    private static ProcessBuilder probe(Path temporary, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                FrontProbe.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    private static String output(ProcessBuilder builder) throws Exception {
        Launched.Outcome outcome = Launched.run(builder, new byte[0]);
        assertThat(outcome.status()).as(outcome.errors()).isZero();
        return outcome.text();
    }

    @Test
    void aCommandThatTakesAllMemoryIsKilledAndTheNodeGoesOn() throws Exception {
        try (Testbed testbed =
                Testbed.builder().memoryMib(512).device(Testbed.Device.NONE).start()) {
            Node node = testbed.node(1);

            ExecResult result = node.exec("perl", "-e", "push @x, 'x' x 1000000 while 1");

            assertThat(result.status()).isEqualTo(128 + GuestProcess.Signal.KILL.number());
            assertThat(node.kernelLog()).contains("Out of memory: Killed process");
            assertThat(node.exec("echo", "on").stdout()).isEqualTo("on\n");
        }
    }

    @Test
    void aTestThatTakesAllMemoryFailsByName(@TempDir Path temporary) throws Exception {
        assertThat(output(probe(temporary, "junit", SAMPLES + "Greedy")))
                .contains("the guest's kernel killed the command for lack of memory");
    }

    @Test
    void moreMemoryThanThisMachineHasIsRefused(@TempDir Path temporary) throws Exception {
        assertThatThrownBy(() -> Testbed.builder().memoryMib(100_000_000).start())
                .isInstanceOf(TestbedFailureException.class)
                .hasMessageContainingAll("memory", "--memory");
        assertThat(output(probe(temporary, "junit", SAMPLES + "TooLarge"))).contains("memory", "--memory");
    }

    /** As the kernel of this machine does it when its memory runs out. */
    @Test
    void aGuestThatThisMachineKillsEndsEveryWait() throws Exception {
        Set<ProcessHandle> others = Launched.guests(ProcessHandle.current());
        try (Testbed testbed =
                Testbed.builder().memoryMib(512).device(Testbed.Device.NONE).start()) {
            GuestProcess sleep = testbed.node(1).start("sleep", "1000");
            Set<ProcessHandle> guests = Launched.guests(ProcessHandle.current());
            guests.removeAll(others);
            assertThat(guests).isNotEmpty();

            guests.forEach(ProcessHandle::destroyForcibly);

            assertThatThrownBy(sleep::waitFor)
                    .isInstanceOf(TestbedFailureException.class)
                    .hasMessageContainingAll("node 1: ", "Something killed it", "memory runs out", "memoryMib");
        }
    }

    @Test
    void pathsMayHaveBlanksAndCommas(@TempDir Path temporary) throws Exception {
        Path runs = Files.createDirectory(temporary.resolve("t, p"));
        Path share = Files.createDirectory(temporary.resolve("a share, with a comma"));
        Path here = Files.createDirectory(temporary.resolve("a directory, with a comma"));

        assertThat(output(probe(runs, "share", share.toString()).directory(here.toFile())))
                .isEqualTo(here.toRealPath() + "\n");
    }

    @Test
    void noGuestOutlivesATestThatIsKilled(@TempDir Path temporary) throws Exception {
        try (Launched launched = Launched.start(probe(temporary, "junit", SAMPLES + "Endless"))) {
            assertThat(launched.readLine()).startsWith("testbed: these tests run in a guest");
            assertThat(launched.readLine()).isEqualTo("ready");
            Launched.killAndAwaitDescendants(launched.process);
        }
    }
}
