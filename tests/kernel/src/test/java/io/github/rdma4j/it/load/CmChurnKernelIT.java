// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.it.support.CmSides;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Ids that are made, connected, disconnected and closed by the thousand leave nothing behind. How many is set by {@code
 * -Drdma4j.churn}.
 */
@RequiresKernel
class CmChurnKernelIT {
    private static final int IDS = Integer.getInteger("rdma4j.churn", 1000);
    private static final int WARM_UP = 100;

    /** The JVM's own memory comes and goes by a few mappings, and its heap by what it has cached. */
    private static final int FEW_MAPPINGS = 40;

    private static final long FEW_BYTES = 4L << 20;

    /** What the process and the kernel hold. */
    private record Holdings(int descriptors, int mappings, String objects, long heap) {
        static Holdings now() throws IOException, InterruptedException {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            return new Holdings(
                    count("/proc/self/fd"),
                    Files.readAllLines(Path.of("/proc/self/maps")).size(),
                    Program.run("rdma", "resource", "show").trim(),
                    runtime.totalMemory() - runtime.freeMemory());
        }

        private static int count(String directory) throws IOException {
            try (Stream<Path> entries = Files.list(Path.of(directory))) {
                return (int) entries.count();
            }
        }

        boolean isNoMoreThan(Holdings before) {
            return descriptors <= before.descriptors
                    && mappings <= before.mappings + FEW_MAPPINGS
                    && objects.equals(before.objects)
                    && heap <= before.heap + FEW_BYTES;
        }
    }

    private static void disconnect(CmSides sides, CmSides.Pair pair) throws RdmaException, InterruptedException {
        pair.client().disconnect();
        expectOf(sides.servers(), CmEventType.DISCONNECTED, pair.server());
        pair.server().disconnect();
        expectOf(sides.clients(), CmEventType.DISCONNECTED, pair.client());
        pair.client().close();
        pair.server().close();
    }

    private static void expectOf(EventChannel channel, CmEventType type, CmId id)
            throws RdmaException, InterruptedException {
        CmEvent event = Events.expect(channel, type);
        assertThat(event.id()).isSameAs(id);
    }

    private static CmSides.Pair connect(CmSides sides) throws RdmaException, InterruptedException {
        CmId client = sides.routed();
        client.createQp(QueuePairOptions.DEFAULT);
        client.connect(ConnectionParameters.DEFAULT);
        CmId server = sides.request();
        server.createQp(QueuePairOptions.DEFAULT);
        server.accept(ConnectionParameters.DEFAULT);
        expectOf(sides.clients(), CmEventType.ESTABLISHED, client);
        expectOf(sides.servers(), CmEventType.ESTABLISHED, server);
        return new CmSides.Pair(client, server);
    }

    private static void churn(CmSides sides, int ids) throws RdmaException, InterruptedException {
        for (int i = 0; i < ids; i += 2) {
            disconnect(sides, connect(sides));
        }
    }

    @Nightly
    @Test
    @Timeout(900)
    void leavesNothingBehind() throws Exception {
        try (CmSides sides = CmSides.open()) {
            churn(sides, WARM_UP);
            Holdings before = settled(null);
            long start = System.nanoTime();
            churn(sides, IDS);
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            Holdings after = settled(before);
            System.out.printf(
                    "CHURN ids=%d fds=%d->%d mappings=%d->%d objects=\"%s\"->\"%s\" heap=%dk->%dk seconds=%.1f%n",
                    IDS,
                    before.descriptors,
                    after.descriptors,
                    before.mappings,
                    after.mappings,
                    before.objects,
                    after.objects,
                    before.heap >> 10,
                    after.heap >> 10,
                    took.toMillis() / 1000.0);
            assertThat(after).matches(held -> held.isNoMoreThan(before), "no more than " + before);
        }
    }

    /** Collects garbage until that changes nothing any more, or less is held than {@code before}. */
    private static Holdings settled(@Nullable Holdings before) throws Exception {
        Holdings last = Holdings.now();
        for (int i = 0; i < 20; i++) {
            Holdings next = Holdings.now();
            boolean enough = before == null ? next.mappings >= last.mappings : next.isNoMoreThan(before);
            last = next;
            if (enough) {
                break;
            }
        }
        return last;
    }
}
