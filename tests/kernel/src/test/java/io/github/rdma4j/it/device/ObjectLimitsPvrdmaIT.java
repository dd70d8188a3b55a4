// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Pvrdma;
import io.github.rdma4j.it.support.PvrdmaEnd;
import io.github.rdma4j.it.support.RequiresPvrdma;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * As many objects of a device as there may be: by the cgroup, whose controller the kernel of User Mode Linux lacks, and by the device,
 * which has few queue pairs here.
 */
@RequiresPvrdma
@Nightly
class ObjectLimitsPvrdmaIT {
    private static final int MOST_HANDLES = 2;
    private static final int MOST_OBJECTS = 6;
    private static final int QUEUE_PAIRS = 4096;

    /** The process in the cgroup. */
    static final class Limited {
        private Limited() {}

        public static void main(String[] arguments) throws Exception {
            try (DeviceContext context = open();
                    DeviceContext second = open()) {
                refused("context", Limited::open);
                List<ProtectionDomain> domains = new ArrayList<>();
                boolean refused = false;
                while (!refused) {
                    refused = refused("domain", () -> domains.add(context.allocatePd()));
                }
                System.out.println("domains: " + domains.size());
                refused("queue", () -> second.createCq(4));
                domains.remove(0).close();
                second.createCq(4).close();
                domains.get(0).close();
                System.out.println("went on");
            }
        }

        private static DeviceContext open() throws RdmaException {
            return Pvrdma.open();
        }

        private static boolean refused(String what, Attempt attempt) throws RdmaException {
            try {
                attempt.run();
                return false;
            } catch (ErrnoException e) {
                System.out.println(what + ": " + e.getMessage());
                return true;
            }
        }
    }

    private interface Attempt {
        Object run() throws RdmaException;
    }

    private static List<String> inGroup(Path group, List<String> command) {
        List<String> inside =
                new ArrayList<>(List.of("sh", "-c", "echo $$ > \"$0\"/cgroup.procs && exec \"$@\"", group.toString()));
        inside.addAll(command);
        return inside;
    }

    private static String runLimited() throws Exception {
        Path hierarchy = Files.createTempDirectory("cgroup");
        Program.run("mount", "-t", "cgroup2", "none", hierarchy.toString());
        Path control = hierarchy.resolve("cgroup.subtree_control");
        Files.writeString(control, "+rdma");
        Path group = Files.createDirectory(hierarchy.resolve("limited"));
        Files.writeString(
                group.resolve("rdma.max"),
                Pvrdma.DEVICE + " hca_handle=" + MOST_HANDLES + " hca_object=" + (MOST_HANDLES + MOST_OBJECTS));
        try (Program program = Program.start(inGroup(group, Program.java(Limited.class)))) {
            return program.success();
        } finally {
            Await.until("the cgroup to be empty", () -> group.toFile().delete());
            Files.writeString(control, "-rdma");
            Program.run("umount", hierarchy.toString());
            Files.delete(hierarchy);
        }
    }

    @Test
    void aProcessIsToldOfTheLimitOfItsGroupAndKeepsWhatItHas() throws Exception {
        String said = runLimited();
        for (String what : List.of("context", "domain", "queue")) {
            assertThat(said.lines().filter(line -> line.startsWith(what + ": ")))
                    .as(said)
                    .singleElement()
                    .asString()
                    .contains("EAGAIN", "rdma.max");
        }
        assertThat(said).contains("went on");
    }

    @Test
    void aDeviceThatHasNoMoreQueuePairsServesTheOnesItHas() throws Exception {
        try (DeviceContext context = Pvrdma.open();
                ProtectionDomain pd = context.allocatePd()) {
            PvrdmaEnd[] ends = PvrdmaEnd.connected(context);
            CompletionQueue cq = context.createCq(4);
            QueuePairOptions options = QueuePairOptions.builder()
                    .cq(cq)
                    .maxSendWr(1)
                    .maxReceiveWr(1)
                    .build();
            List<QueuePair> made = new ArrayList<>();
            assertThatThrownBy(() -> {
                        while (made.size() < QUEUE_PAIRS) {
                            made.add(pd.createQp(options));
                        }
                    })
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageContaining("EFAULT"); // the kernel's word for whatever QEMU's device refuses
            assertThat(made).hasSizeLessThanOrEqualTo(context.queryDevice().maxQp());
            ends[0].buffer().putInt(0, 4711);
            ends[1].receive(1, 0, 4);
            ends[0].send(2, 0, 4);
            ends[0].success();
            assertThat(ends[1].success().byteLength()).isEqualTo(4);
            made.get(0).close();
            pd.createQp(options).close();
        }
    }
}
