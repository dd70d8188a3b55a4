// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.testbed.Netem;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Tests that {@link SoftRoceIT} runs in guests. */
final class GuestSamples {
    private static final List<Object> KEPT = new ArrayList<>();

    private GuestSamples() {}

    @SoftRoce
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Panics {
        @Test
        void a() {}

        @Test
        void b() throws IOException, InterruptedException {
            Files.writeString(Path.of("/proc/sysrq-trigger"), "c");
            Thread.sleep(Long.MAX_VALUE);
        }

        @Test
        void c() {
            assertEquals("1", System.getenv("RDMA4J_GUEST"));
        }
    }

    @SoftRoce(failOnLeaks = true)
    static class Leaks {
        @Test
        void leavesAnIdAndADescriptor() throws IOException {
            EventChannel channel = EventChannel.open();
            CmId id = channel.createId(PortSpace.TCP);
            id.bind(new InetSocketAddress("10.77.0.1", 0));
            KEPT.add(id);
            KEPT.add(channel);
            KEPT.add(new FileInputStream("/etc/hostname"));
        }
    }

    @SoftRoce(failOnLeaks = true)
    static class Tidy {
        @Test
        void closesEverything() throws IOException {
            try (EventChannel channel = EventChannel.open();
                    CmId id = channel.createId(PortSpace.TCP)) {
                KEPT.add(id.toString());
            }
        }
    }

    @SoftRoce
    static class Kernels {
        @Test
        @RequiresKernel("99.0")
        void needsALaterKernel() {}
    }

    @SoftRoce(nodes = 2, netem = Netem.Profile.LOSS)
    static class TwoNodes {
        @Test
        void bothNodesLoseFrames() throws IOException, InterruptedException {
            assertEquals(2, lossy("tc qdisc show dev eth0; testbed-node 2 -- tc qdisc show dev eth0"));
        }

        private static long lossy(String script) throws IOException, InterruptedException {
            Process process = new ProcessBuilder("sh", "-c", "PATH=$PATH:/usr/sbin:/sbin; " + script).start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), text);
            return text.lines().filter(line -> line.contains("loss 5%")).count();
        }
    }

    /** Needs more memory than its guest has. */
    @SoftRoce(memory = 512)
    static class Greedy {
        @Test
        void touchesMoreMemoryThanThereIs() throws IOException {
            Path file = Files.createTempFile("greedy", "");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                for (int i = 0; i < 16; i++) {
                    MappedByteBuffer memory = channel.map(FileChannel.MapMode.PRIVATE, 0, 1 << 26);
                    for (int at = 0; at < memory.capacity(); at += 4096) {
                        memory.put(at, (byte) 1);
                    }
                    KEPT.add(memory);
                }
            }
        }
    }

    /** Would need more memory than this machine has. */
    @SoftRoce(memory = 100_000_000)
    static class TooLarge {
        @Test
        void never() {}
    }

    /** Runs until somebody kills the JVM that started it. */
    @SoftRoce
    static class Endless {
        @Test
        void sleeps() throws InterruptedException {
            System.out.println("ready");
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    /** Passes only if a debugger changes the number. */
    @SoftRoce
    static class Debugged {
        @Test
        void isChanged() {
            assertEquals("1", System.getenv("RDMA4J_GUEST"));
            stopsHere(41);
        }

        private static void stopsHere(int secret) {
            assertEquals(42, secret);
        }
    }

    @SoftRoce(netem = Netem.Profile.DELAY)
    static class OneNodeWithFault {
        @Test
        void never() {}
    }
}
