// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.testbed.guest.GuestFailure;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Guests that fail are told from commands that fail, and none outlives its launcher. */
class GuestFailureIT {
    @Test
    void aPanicIsReportedWithTheKernelsLastLines() throws Exception {
        // A kernel that panics at once takes with it what nobody has fetched from the pipe yet: so one step after
        // another.
        String script = "echo before; read go; echo c > /proc/sysrq-trigger";
        try (Launched launched = Launched.start("run", "--no-rxe", "sh", "-c", script)) {
            assertThat(launched.readLine()).isEqualTo("before");

            Launched.Outcome outcome = launched.finish("go\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(outcome.status()).isEqualTo(GuestFailure.PANIC.exitStatus());
            assertThat(outcome.text()).isEmpty();
            assertThat(outcome.errors())
                    .contains("Kernel panic - not syncing: sysrq triggered crash", "sysrq_handle_crash")
                    .endsWith("testbed: the guest's kernel panicked\n");
        }
    }

    @Test
    void aKernelThatDoesNotBootIsReported() throws Exception {
        Launched.Outcome outcome =
                Launched.run("run", "--kernel-argument", "rdinit=/none", "--kernel-argument", "root=/dev/none", "true");

        assertThat(outcome.status()).isEqualTo(GuestFailure.PANIC.exitStatus());
        assertThat(outcome.errors()).contains("Unable to mount root fs");
    }

    @Test
    void aGuestOutOfMemoryIsReported() throws Exception {
        Launched.Outcome outcome =
                Launched.run("run", "--no-rxe", "--memory", "512", "perl", "-e", "push @x, 'x' x 1000000 while 1");

        assertThat(outcome.status()).as(outcome.errors()).isEqualTo(GuestFailure.OUT_OF_MEMORY.exitStatus());
        assertThat(outcome.errors()).contains("Out of memory: Killed process", "killed the command for lack of memory");
    }

    @Test
    void aCommandThatTakesTooLongIsEnded() throws Exception {
        Launched.Outcome outcome = Launched.run("run", "--no-rxe", "--timeout", "1", "sleep", "1000");

        assertThat(outcome.status()).isEqualTo(GuestFailure.TIMEOUT.exitStatus());
        assertThat(outcome.errors()).endsWith("testbed: the command still ran after 1 s\n");
    }

    @Test
    void reportsTheOutputOfAQemuThatDoesNotStart() throws Exception {
        Launched.Outcome outcome = Launched.run("run", "--memory", "100000000", "true");

        assertThat(outcome.status()).isEqualTo(GuestFailure.START.exitStatus());
        assertThat(outcome.errors()).contains("testbed: QEMU ended with status").contains("memory");
    }

    @Test
    void noQemuOutlivesAKilledLauncher() throws Exception {
        try (Launched launched = Launched.start("run", "--no-rxe", "sh", "-c", "echo ready; exec sleep 1000")) {
            assertThat(launched.readLine()).isEqualTo("ready");
            List<ProcessHandle> children = launched.process.descendants().toList();
            assertThat(children).isNotEmpty();

            launched.signal("KILL");

            CompletableFuture<?>[] ends =
                    children.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
            CompletableFuture.allOf(ends).get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void aSignalDuringTheBootEndsLauncherAndGuest() throws Exception {
        try (Launched launched = Launched.start("run", "--no-rxe", "true")) {
            ProcessHandle qemu = awaitChild(launched.process.toHandle());
            launched.signal("TERM");
            launched.process.waitFor();
            assertThat(launched.process.exitValue()).isEqualTo(128 + 15);
            qemu.onExit().get(20, TimeUnit.SECONDS);
        }
    }

    private static ProcessHandle awaitChild(ProcessHandle parent) throws InterruptedException {
        for (int i = 0; i < 2000; i++) {
            List<ProcessHandle> children = parent.children().toList();
            if (!children.isEmpty()) {
                return children.get(0);
            }
            Thread.sleep(5);
        }
        throw new AssertionError("no child of " + parent.pid());
    }
}
