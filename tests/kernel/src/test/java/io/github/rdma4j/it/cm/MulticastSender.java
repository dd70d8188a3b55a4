// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Sends one number to a group, from an id of its own that is gone afterwards. */
final class MulticastSender {
    private MulticastSender() {}

    /** Sends from the device; the channel has no other event waiting. */
    static void send(EventChannel channel, InetSocketAddress group, int number)
            throws RdmaException, InterruptedException {
        ByteBuffer memory = ByteBuffer.allocateDirect(Integer.BYTES).putInt(0, number);
        try (CmId id = channel.createId(PortSpace.UDP)) {
            id.bind(new InetSocketAddress(Rxe.IPV4, 0));
            id.createQp(QueuePairOptions.DEFAULT);
            GroupMembership membership = id.multicast().join(group, GroupMembership.Mode.SEND_ONLY_FULL_MEMBER);
            Events.expect(channel, CmEventType.MULTICAST_JOIN);
            DatagramPeer peer = membership.peer().orElseThrow();
            CmQueues queues = id.queues();
            try (MemoryRegion region = queues.registerMessages(memory);
                    DatagramPeer.Handle to = queues.handle(peer)) {
                queues.postDatagram(1, region, 0, Integer.BYTES, to);
                queues.awaitSend(Await.LIMIT);
            }
        }
    }
}
