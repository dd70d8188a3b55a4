// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.Grh;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Two members of a multicast group, one of which says something. */
final class MulticastChat {
    private static final InetSocketAddress GROUP = new InetSocketAddress("239.77.0.5", 0);
    private static final Duration limit = Duration.ofSeconds(30);

    private MulticastChat() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0]));
    }

    /** What the other member has heard. */
    static String run(String host) throws IOException, InterruptedException {
        ByteBuffer heard = ByteBuffer.allocateDirect(Grh.BYTES + 64);
        try (EventChannel channel = EventChannel.open();
                CmId speaker = member(channel, host);
                CmId listener = member(channel, host)) {
            CmQueues queues = listener.queues();
            try (MemoryRegion region = queues.registerMessages(heard)) {
                queues.postReceive(1, region, 0, heard.capacity());
                join(channel, listener);
                say(speaker, join(channel, speaker), "hello");
                int length = queues.awaitReceive(limit).byteLength();
                return StandardCharsets.UTF_8
                        .decode(heard.slice(Grh.BYTES, length - Grh.BYTES))
                        .toString();
            }
        }
    }

    private static CmId member(EventChannel channel, String host) throws IOException {
        CmId id = channel.createId(PortSpace.UDP);
        id.bind(new InetSocketAddress(host, 0));
        id.createQp(QueuePairOptions.DEFAULT);
        return id;
    }

    private static DatagramPeer join(EventChannel channel, CmId id) throws IOException, InterruptedException {
        GroupMembership membership = id.multicast().join(GROUP);
        try (CmEvent event = channel.awaitEvent()) {
            if (event.type() != CmEventType.MULTICAST_JOIN) {
                throw event.toException();
            }
        }
        DatagramPeer group = membership.peer().orElseThrow();
        return group;
    }

    private static void say(CmId id, DatagramPeer group, String words) throws IOException, InterruptedException {
        CmQueues queues = id.queues();
        byte[] bytes = words.getBytes(StandardCharsets.UTF_8);
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
        try (MemoryRegion region = queues.registerMessages(buffer);
                DatagramPeer.Handle to = queues.handle(group)) {
            queues.postDatagram(1, region, 0, bytes.length, to);
            queues.awaitSend(limit);
        }
    }
}
