// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;

/** The connection manager as C programs know it: commands, and events that say what became of them. */
final class EventChannelClient {
    private EventChannelClient() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0]));
    }

    /** The number that a server on {@code host} has sent back. */
    static long run(String host) throws IOException, InterruptedException {
        try (BlockingCmId listener = BlockingEcho.listen(host)) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> BlockingEcho.serve(listener));
            ByteBuffer buffer = ByteBuffer.allocateDirect(64).putLong(0, 43);
            call(listener.localAddress().orElseThrow(), buffer);
            served.join();
            return buffer.getLong(8);
        }
    }

    private static void call(InetSocketAddress server, ByteBuffer buffer) throws IOException, InterruptedException {
        try (EventChannel channel = EventChannel.open();
                CmId id = channel.createId(PortSpace.TCP)) {
            id.resolveAddress(server, Duration.ofSeconds(2));
            expect(CmEventType.ADDR_RESOLVED, channel); // the id has a device now
            id.resolveRoute(Duration.ofSeconds(2));
            expect(CmEventType.ROUTE_RESOLVED, channel);

            try (CompletionQueue cq = id.context().createCq(16);
                    MemoryRegion region = id.pd().registerMr(buffer, EnumSet.of(Access.LOCAL_WRITE))) {
                QueuePair qp = id.createQp(QueuePairOptions.builder().cq(cq).build());
                qp.postReceive(new ReceiveWorkRequest(1).add(region, 8, 8));
                id.connect(ConnectionParameters.DEFAULT);
                expect(CmEventType.ESTABLISHED, channel);
                qp.postSend(new SendWorkRequest(1).send().add(region, 0, 8).signaled());

                WorkCompletion[] completions = WorkCompletion.array(8);
                for (int done = 0; done < 2; ) {
                    done += cq.poll(completions); // no system call, no allocation
                }
            }
        }
    }

    private static void expect(CmEventType type, EventChannel channel) throws IOException, InterruptedException {
        try (CmEvent event = channel.awaitEvent()) {
            if (event.type() != type) {
                throw event.toException(); // "REJECTED for CmId[...]: reason 8, no listener on that port"
            }
        }
    }
}
