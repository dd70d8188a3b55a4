// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.testbed.machine.GuestFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Guests in QEMU. */
@Nightly // UmlIT has the same scenes
class GuestIT extends GuestScenes {
    @Override
    ProcessBuilder run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("run"));
        all.addAll(List.of(arguments));
        return Launched.builder(all.toArray(String[]::new));
    }

    @Test
    void withoutRxeNoRdmaModuleIsLoaded() throws Exception {
        Launched.Outcome outcome = Launched.run(
                "run", "--no-rxe", "sh", "-c", "ls -d /dev/infiniband /sys/module/ib_core; cat /proc/modules; exit 0");

        assertThat(outcome.text())
                .doesNotContain("ib_core", "rdma", "/dev/infiniband")
                .contains("virtio_console");
        assertThat(outcome.status()).isZero();
    }

    @Test
    void reportsTheOutputOfAQemuThatDoesNotStart() throws Exception {
        Launched.Outcome outcome = Launched.run("run", "--memory", "100000000", "true");

        assertThat(outcome.status()).isEqualTo(GuestFailure.START.exitStatus());
        assertThat(outcome.errors()).contains("testbed: QEMU ended with status").contains("memory");
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
