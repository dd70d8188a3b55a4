// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Pvrdma;
import io.github.rdma4j.it.support.PvrdmaEnd;
import io.github.rdma4j.it.support.RequiresPvrdma;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Queues in memory of the process in a process with low limits: on pinned memory, where it has no privilege to go beyond, and on
 * descriptors. The process says what it meets.
 */
@RequiresPvrdma
@Nightly
class LimitsPvrdmaIT {
    /** A JVM of its own, on an emulated processor. */
    private static final Duration EMULATED = Duration.ofMinutes(3);

    private static final int LOCKED = 128 * 1024;
    private static final int DESCRIPTORS = 200;

    /** More often than the limit has pages, so that a page that stays pinned is noticed. */
    private static final int REFUSALS = 100;

    private static String found;

    /** The program with low limits. */
    static final class Attempts {
        private Attempts() {}

        public static void main(String[] arguments) throws Exception {
            moveData();
            try (DeviceContext context = Pvrdma.open();
                    ProtectionDomain pd = context.allocatePd()) {
                CompletionQueue small = context.createCq(1);
                for (int i = 0; i < REFUSALS; i++) {
                    tell("completion queue", () -> context.createCq(8192));
                    tell(
                            "shared receive queue",
                            () -> pd.createSrq(SharedReceiveQueueOptions.builder()
                                    .maxReceiveWr(1024)
                                    .maxReceiveSge(4)
                                    .build()));
                    tell(
                            "queue pair",
                            () -> pd.createQp(QueuePairOptions.builder()
                                    .cq(small)
                                    .maxSendWr(8192)
                                    .build()));
                }
            }
            moveData();
            withoutDescriptors();
            moveData();
        }

        private static void moveData() throws Exception {
            try (DeviceContext context = Pvrdma.open()) {
                PvrdmaEnd[] ends = PvrdmaEnd.connected(context);
                ends[0].buffer().putInt(0, 4711);
                ends[1].receive(1, 0, 4);
                ends[0].send(2, 0, 4);
                ends[0].success();
                ends[1].success();
                System.out.println("moved: " + ends[1].buffer().getInt(0));
            }
        }

        private static void withoutDescriptors() throws Exception {
            try (DeviceContext context = Pvrdma.open();
                    ProtectionDomain pd = context.allocatePd()) {
                AhAttr way = Pvrdma.way(context);
                // Loads the classes, for which the JVM needs descriptors.
                pd.createAh(way).close();
                List<FileInputStream> hog = new ArrayList<>();
                try {
                    while (hog.size() < 2 * DESCRIPTORS) {
                        hog.add(new FileInputStream("/dev/null"));
                    }
                } catch (FileNotFoundException noMore) {
                    // Queues take no descriptor.
                    pd.createQp(QueuePairOptions.builder()
                                    .cq(context.createCq(4))
                                    .build())
                            .close();
                    tell("channel", context::createCompletionChannel);
                    tell("address", () -> pd.createAh(way));
                    tell("device", Pvrdma::open);
                } finally {
                    for (FileInputStream file : hog) {
                        file.close();
                    }
                }
                context.createCompletionChannel().close();
                try (AddressHandle to = pd.createAh(way)) {
                    System.out.println("resolved: " + to.attributes().dgid());
                }
            }
        }

        private interface Attempt {
            Object run() throws Exception;
        }

        private static void tell(String name, Attempt attempt) throws Exception {
            try {
                System.out.println(name + ": no failure but " + attempt.run());
            } catch (ErrnoException e) {
                System.out.println(name + ": " + e.getMessage());
            }
        }
    }

    @BeforeAll
    static void run() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "prlimit",
                "--memlock=" + LOCKED + ":" + LOCKED,
                "--nofile=" + DESCRIPTORS + ":" + DESCRIPTORS,
                "setpriv",
                "--bounding-set=-all",
                "--inh-caps=-all"));
        command.addAll(Program.java(Attempts.class));
        try (Program attempts = Program.start(command)) {
            found = attempts.success(EMULATED);
        }
    }

    private static List<String> lines(String name) {
        return found.lines().filter(line -> line.startsWith(name + ": ")).toList();
    }

    @Test
    void saysThatTheMemoryOfAQueueCannotBePinned() {
        for (String queue : List.of("completion queue", "shared receive queue", "queue pair")) {
            assertThat(lines(queue))
                    .as(found)
                    .hasSize(REFUSALS)
                    .allSatisfy(
                            line -> assertThat(line).contains("ENOMEM", "RLIMIT_MEMLOCK is " + LOCKED, "ulimit -l"));
        }
    }

    @Test
    void saysThatThereIsNoDescriptorLeft() {
        for (String attempt : List.of("channel", "address", "device")) {
            assertThat(lines(attempt))
                    .as(found)
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains("EMFILE"));
        }
    }

    @Test
    void worksBeforeAndAfter() {
        assertThat(lines("moved")).as(found).containsExactly("moved: 4711", "moved: 4711", "moved: 4711");
        assertThat(lines("resolved")).as(found).hasSize(1);
    }
}
