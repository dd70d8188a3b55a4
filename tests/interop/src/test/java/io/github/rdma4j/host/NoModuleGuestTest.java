// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.testbed.TestbedMain;
import io.github.rdma4j.verbs.RdmaDevices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A real kernel that has no RDMA module loaded: in a guest, started from here. First it may not load modules, then it
 * may.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NoModuleGuestTest {
    private static String found;

    /** The program in the guest. */
    static final class Attempts {
        private static final Path MODPROBE = Path.of("/proc/sys/kernel/modprobe");

        private Attempts() {}

        public static void main(String[] arguments) throws Exception {
            String modprobe = Files.readString(MODPROBE);
            Files.writeString(MODPROBE, "/bin/false\n");
            System.out.println("devices: " + RdmaDevices.list(Kernel.running()));
            System.out.println("without modprobe: " + open());
            Files.writeString(MODPROBE, modprobe);
            System.out.println("with modprobe: " + open());
        }

        private static String open() {
            try (EventChannel channel = EventChannel.open()) {
                return "opened " + channel;
            } catch (RdmaException e) {
                return e.toString();
            }
        }
    }

    @BeforeAll
    static void run() throws Exception {
        List<String> command =
                new ArrayList<>(Program.java(TestbedMain.class, "run", "--no-rxe", "--timeout", "150", "--"));
        command.addAll(Program.java(Attempts.class));
        try (Program guest = Program.start(command)) {
            found = guest.success(Duration.ofSeconds(200));
        }
    }

    private static String line(String name) {
        return found.lines()
                .filter(line -> line.startsWith(name + ": "))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing of " + name + " in: " + found));
    }

    @Test
    void tellsWhichModuleToLoad() {
        assertThat(line("without modprobe")).contains("ENODEV", "modprobe rdma_ucm");
    }

    @Test
    void listsNoDevice() {
        assertThat(line("devices")).endsWith("[]");
    }

    /** Asking RDMA netlink for the connection manager is enough to make the kernel load it. */
    @Test
    void needsNoHelpWhereTheKernelMayLoadModules() {
        assertThat(line("with modprobe")).contains("opened", "/dev/infiniband/rdma_cm");
    }
}
