// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a command finds in a guest. */
class GuestIT {
    @Test
    void theGuestHasAnActiveRxeDeviceThatRpingWorksOver() throws Exception {
        Launched.Outcome outcome = Launched.run(
                "run",
                "--times",
                "sh",
                "-c",
                "cat /sys/class/infiniband/rxe0/ports/1/state; ls /dev/infiniband | tr '\\n' ' '; echo; ulimit -c;"
                        + " getent hosts $(cat /proc/sys/kernel/hostname);"
                        + " rping -s -C 2 & while ! rping -c -a 10.77.0.1 -C 2 -v 2>/dev/null; do sleep 0.1; done");

        // For the record and not a requirement: how long a boot takes is the machine's affair.
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
    void withoutRxeNoRdmaModuleIsLoaded() throws Exception {
        Launched.Outcome outcome = Launched.run(
                "run", "--no-rxe", "sh", "-c", "ls -d /dev/infiniband /sys/module/ib_core; cat /proc/modules; exit 0");

        assertThat(outcome.text())
                .doesNotContain("ib_core", "rdma", "/dev/infiniband")
                .contains("virtio_console");
        assertThat(outcome.status()).isZero();
    }

    @Test
    void onlyWritesToAShareReachThisMachine(@TempDir Path directory) throws Exception {
        Path share = Files.createDirectory(directory.resolve("the share, with a comma"));
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.writeString(other.resolve("old"), "untouched");
        String script = "echo kept > \"$1/report\"; echo lost > \"$2/report\"; echo lost > \"$2/old\"; cat \"$2/old\";"
                + " rm /etc/passwd";

        Launched.Outcome outcome = Launched.run(
                "run",
                "--no-rxe",
                "--share",
                share.toString(),
                "--",
                "sh",
                "-c",
                script,
                "sh",
                share.toString(),
                other.toString());

        assertThat(outcome.status()).as(outcome.errors()).isZero();
        assertThat(outcome.text()).isEqualTo("lost\n");
        assertThat(share.resolve("report")).hasContent("kept\n");
        assertThat(other.resolve("report")).doesNotExist();
        assertThat(other.resolve("old")).hasContent("untouched");
        assertThat(Path.of("/etc/passwd")).exists();
    }
}
