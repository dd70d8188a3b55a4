// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.it.Program;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.testbed.TestbedMain;
import io.github.rdma4j.verbs.discovery.RdmaDevices;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real kernel that has no RDMA module loaded: in a guest, started from here. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NoModuleGuestTest {
    /** The program in the guest. */
    static final class Attempt {
        private Attempt() {}

        public static void main(String[] arguments) throws Exception {
            System.out.println("devices: " + RdmaDevices.list(Kernel.running()));
            try {
                EventChannel.open().close();
                System.out.println("open: no failure");
            } catch (RdmaException e) {
                System.out.println("open: " + e.getMessage());
            }
        }
    }

    @Test
    void tellsWhichModuleToLoad() throws Exception {
        List<String> command = new ArrayList<>(Program.java(TestbedMain.class, "run", "--no-rxe", "--timeout", "150", "--"));
        command.addAll(Program.java(Attempt.class));
        try (Program guest = Program.start(command)) {
            assertThat(guest.success()).contains("devices: []", "open: ", "modprobe rdma_ucm");
        }
    }
}
