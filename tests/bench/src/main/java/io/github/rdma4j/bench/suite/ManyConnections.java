// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.bench.turns.Turns;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code connections memory} in Java: opens connections and prints the memory of the process, and the heap after a
 * collection. A program without a command line parser, which the suite starts.
 */
public final class ManyConnections {
    private static final int DEPTH = 16;
    private static final int KIB = 1024;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final EventChannel channel;
    private final InetSocketAddress server;
    private final List<CmId> ids = new ArrayList<>();
    private @Nullable QueuePairOptions options;

    private ManyConnections(EventChannel channel, InetSocketAddress server) {
        this.channel = channel;
        this.server = server;
    }

    /** Arguments: address and port of the server, and the numbers of connections in ascending order. */
    public static void main(String[] arguments) throws RdmaException, InterruptedException, IOException {
        InetSocketAddress server = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        ManyConnections connections = new ManyConnections(EventChannel.open(), server);
        for (String count : List.of(arguments).subList(2, arguments.length)) {
            connections.open(Integer.parseInt(count));
            System.out.println("rss " + count + " " + Turns.residentKib());
            System.gc();
            System.out.println("heap " + count + " " + heapKib());
        }
        // The process ends with its connections open, as the program in C does.
    }

    private void open(int count) throws RdmaException, InterruptedException {
        while (ids.size() < count) {
            ids.add(connect());
        }
    }

    private CmId connect() throws RdmaException, InterruptedException {
        CmId id = channel.createId(PortSpace.TCP);
        id.resolveAddress(server, LIMIT);
        expect(CmEventType.ADDR_RESOLVED);
        id.resolveRoute(LIMIT);
        expect(CmEventType.ROUTE_RESOLVED);
        QueuePairOptions ready = options;
        if (ready == null) {
            ready = QueuePairOptions.builder()
                    .cq(id.context().createCq(DEPTH))
                    .maxSendWr(DEPTH)
                    .maxReceiveWr(DEPTH)
                    .maxSendSge(1)
                    .maxReceiveSge(1)
                    .build();
            options = ready;
        }
        id.createQp(ready);
        id.connect(ConnectionParameters.DEFAULT);
        expect(CmEventType.ESTABLISHED);
        return id;
    }

    private void expect(CmEventType type) throws RdmaException, InterruptedException {
        try (CmEvent event = channel.awaitEvent()) {
            if (event.type() != type) {
                throw event.toException();
            }
        }
    }

    private static long heapKib() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / KIB;
    }
}
