// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Grh;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/** A datagram id on the first port, with a queue pair, memory, and an event channel of its own. */
final class GroupMember implements AutoCloseable {
    private static final int SENT = 200;

    final EventChannel channel = EventChannel.open();
    final CmId id = channel.createId(PortSpace.UDP);
    private final ByteBuffer memory = ByteBuffer.allocateDirect(256);
    private final MemoryRegion region;

    GroupMember() throws RdmaException {
        this(Rxe.IPV4);
    }

    GroupMember(String address) throws RdmaException {
        id.bind(new InetSocketAddress(address, 0));
        id.createQp(QueuePairOptions.DEFAULT);
        region = id.queues().registerMessages(memory);
    }

    /** Joins, and returns the group as the event describes it. */
    DatagramPeer join(SocketAddress group, GroupMembership.Mode mode) throws Exception {
        GroupMembership membership = begin(group, mode);
        CmEvent event = Events.expect(channel, CmEventType.MULTICAST_JOIN);
        assertThat(event.membership()).containsSame(membership);
        return event.datagramPeer().orElseThrow();
    }

    /** Begins to join, as soon as IP over InfiniBand has a group of its own: a new manager takes it away for a moment. */
    GroupMembership begin(SocketAddress group, GroupMembership.Mode mode) throws RdmaException {
        while (true) {
            try {
                return id.multicast().join(group, mode);
            } catch (ErrnoException e) {
                if (!e.errno().equals(Errno.EADDRNOTAVAIL)) {
                    throw e;
                }
            }
        }
    }

    /** The status of the failure to join. */
    int failToJoin(SocketAddress group) throws Exception {
        GroupMembership unused = id.multicast().join(group);
        return Events.expect(channel, CmEventType.MULTICAST_ERROR).status();
    }

    void receive() throws RdmaException {
        id.queues().postReceive(1, region, 0, SENT);
    }

    void send(DatagramPeer group, int content) throws Exception {
        memory.putInt(SENT, content);
        try (DatagramPeer.Handle way = id.queues().handle(group)) {
            id.queues().postDatagram(9, region, SENT, Integer.BYTES, way);
            assertThat(id.queues()
                            .awaitSendCompletion(Await.LIMIT)
                            .orElseThrow()
                            .isSuccess())
                    .isTrue();
        }
    }

    void assertReceives(int content) throws Exception {
        WorkCompletion received =
                id.queues().awaitReceiveCompletion(Await.LIMIT).orElseThrow();
        assertThat(received.isSuccess()).isTrue();
        assertThat(received.hasGrh()).isTrue();
        assertThat(memory.getInt(Grh.BYTES)).isEqualTo(content);
    }

    @Override
    public void close() throws RdmaException {
        region.close();
        id.close();
        channel.close();
    }
}
