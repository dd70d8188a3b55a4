// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.calls;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A datagram id joins a group, and leaves it. */
final class JoinOperation implements CountedOperations.Operation {
    private static final InetSocketAddress GROUP = new InetSocketAddress("239.77.14.1", 0);

    private final EventChannel channel = EventChannel.open();
    private final CmId id = channel.createId(PortSpace.UDP);

    JoinOperation(String host) throws Exception {
        id.bind(new InetSocketAddress(host, 0));
        id.createQp(QueuePairOptions.DEFAULT);
    }

    @Override
    public void once() throws Exception {
        try (GroupMembership membership = id.multicast().join(GROUP)) {
            Arrived.event(channel, CmEventType.MULTICAST_JOIN);
            if (membership.group() != GROUP) {
                throw new AssertionError(membership);
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
