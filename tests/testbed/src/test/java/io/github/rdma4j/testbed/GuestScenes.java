// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.testbed.machine.GuestFailure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command in a guest of each kind: its device, and guests that fail, as opposed to commands that fail. */
abstract class GuestScenes {
    private static final byte[] GO = "go\n".getBytes(StandardCharsets.US_ASCII);

    /** The launcher with {@code run}, these arguments, and the options for the kind of guest. */
    abstract ProcessBuilder run(String... arguments);

    final Launched.Outcome outcome(String... arguments) throws Exception {
        return Launched.run(run(arguments), new byte[0]);
    }

    @Test
    void theGuestHasAnActiveRxeDeviceThatRpingWorksOver() throws Exception {
        Launched.Outcome outcome = outcome(
                "--times",
                "sh",
                "-c",
                "cat /sys/class/infiniband/rxe0/ports/1/state; ls /dev/infiniband | tr '\\n' ' '; echo; ulimit -c;"
                        + " grep -c MHz /proc/cpuinfo; getent hosts $(cat /proc/sys/kernel/hostname);"
                        + " rping -s -C 2 & while ! rping -c -a 10.77.0.1 -C 2 -v 2>/dev/null; do sleep 0.1; done");

        // For the record, not a requirement: the time of a boot depends on the machine.
        System.out.println(outcome.errors());
        assertThat(outcome.text())
                .as(outcome.errors())
                .startsWith("4: ACTIVE\n")
                .contains("rdma_cm", "umad0", "uverbs0")
                .containsPattern("10\\.77\\.0\\.1\\s+rdma4j-guest\n")
                .contains("ping data: rdma-ping-1");
        assertThat(outcome.status()).isZero();
    }

    @Test
    void aPanicIsReportedWithTheKernelsLastLines() throws Exception {
        // A kernel that panics loses what the launcher has not read, so one step follows another.
        String script = "echo before; read go; echo c > /proc/sysrq-trigger";
        try (Launched launched = Launched.start(run("--no-rxe", "sh", "-c", script))) {
            assertThat(launched.readLine()).isEqualTo("before");

            Launched.Outcome outcome = launched.finish(GO);

            assertThat(outcome.status()).as(outcome.errors()).isEqualTo(GuestFailure.PANIC.exitStatus());
            assertThat(outcome.text()).isEmpty();
            assertThat(outcome.errors())
                    .contains("Kernel panic - not syncing: sysrq triggered crash", "sysrq_handle_crash")
                    .endsWith("testbed: the guest's kernel panicked\n");
        }
    }

    @Test
    void aKernelThatDoesNotBootIsReported() throws Exception {
        Launched.Outcome outcome =
                outcome("--kernel-argument", "rdinit=/none", "--kernel-argument", "root=/dev/none", "true");

        assertThat(outcome.status()).as(outcome.errors()).isEqualTo(GuestFailure.PANIC.exitStatus());
        assertThat(outcome.errors()).contains("Unable to mount root fs");
    }

    @Nightly
    @Test
    void aGuestOutOfMemoryIsReported() throws Exception {
        Launched.Outcome outcome =
                outcome("--no-rxe", "--memory", "512", "perl", "-e", "push @x, 'x' x 1000000 while 1");

        assertThat(outcome.status()).as(outcome.errors()).isEqualTo(GuestFailure.OUT_OF_MEMORY.exitStatus());
        assertThat(outcome.errors()).contains("Out of memory: Killed process", "killed the command for lack of memory");
    }

    @Test
    void aCommandThatTakesTooLongIsEnded() throws Exception {
        Launched.Outcome outcome = outcome("--no-rxe", "--timeout", "1", "sleep", "1000");

        assertThat(outcome.status()).isEqualTo(GuestFailure.TIMEOUT.exitStatus());
        assertThat(outcome.errors()).endsWith("testbed: the command still ran after 1 s\n");
    }

    @Test
    void nothingOutlivesAKilledLauncher() throws Exception {
        try (Launched launched = Launched.start(run("--no-rxe", "sh", "-c", "echo ready; exec sleep 1000"))) {
            assertThat(launched.readLine()).isEqualTo("ready");
            Launched.killAndAwaitDescendants(launched.process);
        }
    }

    @Test
    void onlyWritesToAShareReachThisMachine(@TempDir Path directory) throws Exception {
        Path share = Files.createDirectory(directory.resolve("the share, with a comma"));
        Path link = Files.createSymbolicLink(directory.resolve("a link, with a comma"), share.getFileName());
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.writeString(other.resolve("old"), "untouched");
        String script = "echo kept > \"$1/report\"; echo lost > \"$2/report\"; echo lost > \"$2/old\"; cat \"$2/old\";"
                + " rm /etc/passwd";

        Launched.Outcome outcome = outcome(
                "--no-rxe",
                "--share",
                link.toString(),
                "--",
                "sh",
                "-c",
                script,
                "sh",
                link.toString(),
                other.toString());

        assertThat(outcome.status()).as(outcome.errors()).isZero();
        assertThat(outcome.text()).isEqualTo("lost\n");
        assertThat(share.resolve("report")).hasContent("kept\n");
        assertThat(other.resolve("report")).doesNotExist();
        assertThat(other.resolve("old")).hasContent("untouched");
        assertThat(Path.of("/etc/passwd")).exists();
    }
}
