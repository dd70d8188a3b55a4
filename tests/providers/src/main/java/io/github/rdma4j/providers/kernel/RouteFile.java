// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.netlink.NetlinkAbi.NetlinkConstants;
import io.github.rdma4j.internal.netlink.NetlinkAbi.NetlinkHeader;
import io.github.rdma4j.internal.netlink.RouteAbi.LinkMessage;
import io.github.rdma4j.internal.netlink.RouteAbi.NeighbourMessage;
import io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants;
import io.github.rdma4j.internal.netlink.RouteAbi.RouteMessage;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.Card;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** The tables of routes and neighbours on a network where every address is a neighbour, and whose interface has no VLAN. */
final class RouteFile extends OpenFile {
    private static final int CAPACITY = 4096;
    private static final int ALIGNMENT = 4;
    private static final int INTERFACE = 1;
    private static final int UNICAST = 1;
    private static final int IPV4_IN_GID = 12;

    private final List<byte[]> gids;
    private final Queue<ByteBuffer> answers = new ArrayDeque<>();

    RouteFile(List<byte[]> gids) {
        this.gids = gids;
    }

    @Override
    public synchronized long write(ByteBuffer request) {
        int type = Short.toUnsignedInt(request.getShort(NetlinkHeader.NLMSG_TYPE));
        int sequence = request.getInt(NetlinkHeader.NLMSG_SEQ);
        switch (type) {
            case RouteConstants.RTM_GETROUTE -> {
                ByteBuffer route = message(type - 2, 0, sequence, RouteMessage.BYTES);
                route.put(NetlinkHeader.BYTES + RouteMessage.RTM_TYPE, (byte) UNICAST);
                ByteBuffer index = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
                attribute(route, RouteConstants.RTA_OIF, index.putInt(INTERFACE).array());
                answers.add(end(route));
            }
            case RouteConstants.RTM_GETNEIGH -> {
                for (byte[] gid : gids) {
                    answers.add(end(neighbour(sequence, gid)));
                }
                answers.add(end(message(NetlinkConstants.NLMSG_DONE, 0, sequence, Integer.BYTES)));
            }
            default -> answers.add(end(message(type - 2, 0, sequence, LinkMessage.BYTES)));
        }
        return request.capacity();
    }

    private static ByteBuffer neighbour(int sequence, byte... gid) {
        int type = RouteConstants.RTM_GETNEIGH - 2;
        ByteBuffer entry = message(type, NetlinkConstants.NLM_F_MULTI, sequence, NeighbourMessage.BYTES);
        entry.putInt(NetlinkHeader.BYTES + NeighbourMessage.NDM_IFINDEX, INTERFACE);
        entry.putShort(NetlinkHeader.BYTES + NeighbourMessage.NDM_STATE, (short) RouteConstants.NUD_PERMANENT);
        boolean ipv4 = ByteBuffer.wrap(gid).getLong() == 0;
        byte[] address = new byte[ipv4 ? gid.length - IPV4_IN_GID : gid.length];
        System.arraycopy(gid, gid.length - address.length, address, 0, address.length);
        attribute(entry, RouteConstants.NDA_DST, address);
        attribute(entry, RouteConstants.NDA_LLADDR, Card.mac(gid));
        return entry;
    }

    private static ByteBuffer message(int type, int flags, int sequence, int payload) {
        return ByteBuffer.allocate(CAPACITY)
                .order(ByteOrder.nativeOrder())
                .putShort(NetlinkHeader.NLMSG_TYPE, (short) type)
                .putShort(NetlinkHeader.NLMSG_FLAGS, (short) flags)
                .putInt(NetlinkHeader.NLMSG_SEQ, sequence)
                .position(NetlinkHeader.BYTES + payload);
    }

    private static void attribute(ByteBuffer message, int type, byte[] value) {
        message.putShort((short) (ALIGNMENT + value.length))
                .putShort((short) type)
                .put(value);
        while (message.position() % ALIGNMENT != 0) {
            message.put((byte) 0);
        }
    }

    private static ByteBuffer end(ByteBuffer message) {
        message.putInt(NetlinkHeader.NLMSG_LEN, message.position());
        return message.flip();
    }

    @Override
    public synchronized long read(ByteBuffer into) {
        ByteBuffer answer = answers.poll();
        if (answer == null) {
            return refused(Errno.EAGAIN);
        }
        into.put(0, answer, 0, answer.limit());
        return answer.limit();
    }

    @Override
    public synchronized boolean isReadable() {
        return !answers.isEmpty();
    }
}
