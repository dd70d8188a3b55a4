// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.SaOptions;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.umad.UmadPort;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A client of subnet administration in a process that runs out of direct memory or file descriptors: one request may fail, the
 * client lives. Each case is a JVM of its own, whose umad port is the one at which this JVM answers.
 */
@RequiresKernel
class SaClientShortageKernelIT {
    /** Nearly half a megabyte. */
    private static final int RECORDS = 8_000;

    private static final SaRequest<List<McMemberRecord>> TABLE = SaRequest.getTable(McMemberRecord.template());
    private static final SaRequest<McMemberRecord> ONE = SaRequest.get(McMemberRecord.template());

    private static SaClient client(int maxReplyBytes) throws Exception {
        return SaClient.over(
                RoceSubnetAdministration.transport(
                        UmadPort.open(Kernel.running(), Rxe.DEVICE, 1, UmadPort.Options.DEFAULT)),
                SaOptions.builder()
                        .firstTimeout(RoceSubnetAdministration.PATIENT)
                        .maxReplyBytes(maxReplyBytes)
                        .build());
    }

    private static void tryTable(SaClient client) throws InterruptedException {
        try {
            System.out.println("table of " + client.call(TABLE).size());
        } catch (RdmaException e) {
            System.out.println("failed: " + e.getMessage());
        }
    }

    private static void tryOne(SaClient client) throws RdmaException, InterruptedException {
        client.call(ONE);
        System.out.println("answered, " + client.ended().isDone());
    }

    private static String run(Class<?> main, List<String> options) throws Exception {
        List<String> command = new ArrayList<>(Program.java(main));
        command.addAll(command.indexOf("-cp"), options);
        try (RoceSubnetAdministration there = RoceSubnetAdministration.answering(RECORDS);
                Program child = Program.start(command)) {
            assertThat(there.next().status()).isZero();
            return child.success();
        }
    }

    /** Asks for a long table. */
    static final class LittleDirectMemory {
        private LittleDirectMemory() {}

        public static void main(String[] arguments) throws Exception {
            try (SaClient client = client(RoceSubnetAdministration.LONGEST)) {
                tryOne(client);
                tryTable(client);
                tryOne(client);
            }
        }
    }

    @Test
    void anAnswerLongerThanAllDirectMemory() throws Exception {
        assertThat(run(LittleDirectMemory.class, List.of("-XX:MaxDirectMemorySize=256k")))
                .contains("answered, false\ntable of " + RECORDS + "\nanswered, false");
    }

    /** Asks for a longer table than it wants. */
    static final class LowLimit {
        private LowLimit() {}

        public static void main(String[] arguments) throws Exception {
            try (SaClient client = client(100_000)) {
                tryOne(client);
                tryTable(client);
                tryOne(client);
            }
        }
    }

    @Test
    void anAnswerLongerThanWanted() throws Exception {
        assertThat(run(LowLimit.class, List.of()))
                .contains("failed: GetTable MCMemberRecord: the answer is longer than 100000 bytes")
                .endsWith("answered, false");
    }

    /** Asks while the last file descriptors are used up, also by other threads that wait. */
    static final class NoDescriptors {
        private NoDescriptors() {}

        public static void main(String[] arguments) throws Exception {
            try (SaClient client = client(RoceSubnetAdministration.LONGEST)) {
                tryOne(client);
                List<RandomAccessFile> hog = new ArrayList<>();
                try (SaClient other = client(RoceSubnetAdministration.LONGEST)) {
                    tryOne(other);
                    tryTable(other); // loading a class needs a descriptor, too: what is needed later is there from now
                    // on
                    useUp(hog);
                    for (int i = 0; i < 5; i++) {
                        tryOne(client);
                        tryTable(other);
                    }
                }
                System.out.println("hogged " + (hog.size() > 10));
                tryTable(client);
                for (RandomAccessFile file : hog) {
                    file.close();
                }
                tryOne(client);
            }
        }

        private static void useUp(List<RandomAccessFile> hog) {
            try {
                while (true) {
                    hog.add(new RandomAccessFile("/dev/null", "r"));
                }
            } catch (IOException full) {
                // That was the last one.
            }
        }
    }

    @Test
    void noFileDescriptors() throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n 512; exec \"$@\"", "sh"));
        command.addAll(Program.java(NoDescriptors.class));
        try (RoceSubnetAdministration there = RoceSubnetAdministration.answering(100);
                Program child = Program.start(command)) {
            assertThat(there.next().status()).isZero();
            assertThat(child.success())
                    .contains("answered, false\ntable of 100\n".repeat(6) + "hogged true\ntable of 100\n")
                    .endsWith("answered, false");
        }
    }
}
