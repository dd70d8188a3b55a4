// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.attr.Access;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What a process without privilege meets: a limit on pinned memory, nodes it may not open, ports it may not have. One
 * such process tries all of it, and the tests read what it found.
 */
@RequiresKernel
class PrivilegeKernelIT {
    private static final String LIMIT = "262144";

    /** Copies of the nodes that nobody may open but their owner, who is not this user. */
    private static Path dev;

    private static String found;

    /** The program without privilege: one line for each attempt. */
    static final class Attempts {
        private Attempts() {}

        public static void main(String[] arguments) throws Exception {
            attempt("memory", Attempts::pinTooMuch);
            attempt("port", Attempts::bindLowPort);
            attempt("rdma_cm", () -> EventChannel.open(Nodes.kernel(Path.of(arguments[0]))));
            attempt("uverbs", () -> DeviceContext.open(Nodes.kernel(Path.of(arguments[0])), Rxe.device()));
        }

        private interface Attempt {
            void run() throws Exception;
        }

        private static void attempt(String name, Attempt attempt) {
            try {
                attempt.run();
                System.out.println(name + ": no failure");
            } catch (Exception e) {
                System.out.println(name + ": " + e.getClass().getSimpleName() + " " + e.getMessage());
            }
        }

        private static void pinTooMuch() throws Exception {
            try (DeviceContext context = DeviceContext.open(Rxe.DEVICE);
                    ProtectionDomain pd = context.allocatePd()) {
                pd.registerMr(ByteBuffer.allocateDirect(64 * 1024), EnumSet.of(Access.LOCAL_WRITE));
                System.out.println("less memory: fits");
                pd.registerMr(ByteBuffer.allocateDirect(1024 * 1024), EnumSet.of(Access.LOCAL_WRITE));
            }
        }

        private static void bindLowPort() throws Exception {
            try (EventChannel channel = EventChannel.open();
                    CmId id = channel.createId(PortSpace.TCP)) {
                id.bind(new InetSocketAddress(Rxe.IPV4, 1023));
            }
        }
    }

    @BeforeAll
    static void run() throws Exception {
        dev = Nodes.copy();
        for (Path node : Nodes.of(dev)) {
            Program.run("chown", "65534:65534", node.toString());
            Program.run("chmod", "600", node.toString());
        }
        // Root without capabilities and not an owner of the nodes: as unprivileged as any other user, and able to read
        // the class path wherever it lies.
        List<String> command = new ArrayList<>(List.of(
                "prlimit", "--memlock=" + LIMIT + ":" + LIMIT, "setpriv", "--bounding-set=-all", "--inh-caps=-all"));
        command.addAll(Program.java(Attempts.class, dev.toString()));
        try (Program attempts = Program.start(command)) {
            found = attempts.success();
        }
    }

    @AfterAll
    static void removeNodes() throws Exception {
        Nodes.delete(dev);
        assertThat(Files.exists(dev)).isFalse();
    }

    private static String line(String name) {
        return found.lines()
                .filter(line -> line.startsWith(name + ": "))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing of " + name + " in: " + found));
    }

    @Test
    void pinsMemoryUpToTheLimit() {
        assertThat(line("less memory")).contains("fits");
    }

    @Test
    void isToldOfTheLimitOnPinnedMemory() {
        assertThat(line("memory"))
                .contains("ErrnoException", "ENOMEM", "1048576 bytes", "RLIMIT_MEMLOCK is " + LIMIT, "ulimit -l");
    }

    @Test
    void isToldOfAPortBelow1024() {
        assertThat(line("port")).contains("EACCES");
    }

    @Test
    void isToldHowToOpenTheConnectionManager() {
        assertThat(line("rdma_cm")).contains("EACCES", "chmod", dev.toString());
    }

    @Test
    void isToldHowToOpenTheDevice() {
        assertThat(line("uverbs")).contains("EACCES", "chmod", dev.toString());
    }
}
