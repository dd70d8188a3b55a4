// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import static io.github.rdma4j.testkit.model.ModelCm.OK;
import static io.github.rdma4j.testkit.model.ModelCm.refused;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.InitQpAttrCommand;
import io.github.rdma4j.internal.ucm.PathData;
import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.Query.QueryCommand;
import io.github.rdma4j.internal.ucm.Query.QueryOptions;
import io.github.rdma4j.internal.ucm.Query.QueryPathReply;
import io.github.rdma4j.internal.ucm.SockAddr;
import io.github.rdma4j.internal.ucm.SockAddr.SockaddrIb;
import io.github.rdma4j.internal.uverbs.AhAttrBytes;
import io.github.rdma4j.internal.uverbs.PathRecordBytes;
import io.github.rdma4j.internal.uverbs.QpAttrBytes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.testkit.model.ModelCm.Request;
import io.github.rdma4j.testkit.model.ModelId.Link;
import io.github.rdma4j.testkit.model.ModelId.Phase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The model's replies to queries of an id. */
final class CmReplies {
    private static final Errno ENOSYS = new Errno(38);
    private static final int PKEY = 0xffff;
    private static final int MTU_1024 = 3;
    private static final int EXACTLY = 2 << 6;
    private static final int INIT = 1;
    private static final int RTR = 2;
    private static final int RTS = 3;
    private static final int STATES = 6;
    private static final int INIT_MASK = 0x39;
    private static final int IWARP_INIT_MASK = 0x29;
    private static final int IWARP_RTS_MASK = 0x20;
    private static final int UD_INIT_MASK = 0x71;
    private static final int RTR_MASK = 0x129181;
    private static final int RTS_MASK = 0x12e01;
    private static final int UDP_QKEY = 0x01234567;
    private static final int ACCESS = 0xe;
    private static final int PSN = 0x1234;
    private static final int TIMEOUT = 19;
    private static final int RETRIES = 7;
    private static final Set<Link> WITH_PEER = Set.of(Link.REQ_RCVD, Link.REP_SENT, Link.REP_RCVD, Link.ESTABLISHED);

    private CmReplies() {}

    static InetAddress wildcard(InetAddress sameFamily) {
        try {
            return InetAddress.getByAddress(new byte[sameFamily.getAddress().length]);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 or 16 bytes are a valid address", e);
        }
    }

    static int query(ModelId id, Request request) {
        return switch (request.body().getInt(QueryCommand.OPTION)) {
            case QueryOptions.RDMA_USER_CM_QUERY_ADDR -> addresses(id, request);
            case QueryOptions.RDMA_USER_CM_QUERY_GID -> gids(id, request);
            case QueryOptions.RDMA_USER_CM_QUERY_PATH -> paths(id, request);
            default -> refused(ENOSYS);
        };
    }

    private static int addresses(ModelId id, Request request) {
        if (request.room() < QueryAddrReply.BYTES) {
            return refused(ModelCm.ENOSPC);
        }
        ByteBuffer reply = request.reply(QueryAddrReply.BYTES);
        StructFields.zero(reply, 0, QueryAddrReply.IBDEV_INDEX);
        InetSocketAddress local = id.local;
        if (local == null) {
            return OK;
        }
        InetSocketAddress peer = id.peer == null ? new InetSocketAddress(wildcard(local.getAddress()), 0) : id.peer;
        int src = SockAddr.encode(reply, QueryAddrReply.SRC_ADDR, local);
        int dst = SockAddr.encode(reply, QueryAddrReply.DST_ADDR, peer);
        StructFields.putU16(reply, QueryAddrReply.SRC_SIZE, src);
        StructFields.putU16(reply, QueryAddrReply.DST_SIZE, dst);
        if (id.hasDevice) {
            StructFields.putBe64(reply, QueryAddrReply.NODE_GUID, ModelDevice.NODE_GUID);
            reply.put(QueryAddrReply.PORT_NUM, (byte) ModelDevice.PORT)
                    .putInt(QueryAddrReply.IBDEV_INDEX, ModelDevice.INDEX);
        }
        return OK;
    }

    private static int gids(ModelId id, Request request) {
        if (request.room() < QueryAddrReply.BYTES) {
            return refused(ModelCm.ENOSPC);
        }
        ByteBuffer reply = request.reply(QueryAddrReply.BYTES);
        StructFields.zero(reply, 0, QueryAddrReply.BYTES);
        gid(reply, QueryAddrReply.SRC_ADDR, id.local);
        gid(reply, QueryAddrReply.DST_ADDR, id.peer);
        StructFields.putU16(reply, QueryAddrReply.SRC_SIZE, SockaddrIb.BYTES);
        StructFields.putU16(reply, QueryAddrReply.DST_SIZE, SockaddrIb.BYTES);
        return OK;
    }

    private static void gid(ByteBuffer reply, int at, @Nullable InetSocketAddress address) {
        StructFields.putU16(reply, at + SockaddrIb.SIB_FAMILY, SockAddr.AF_IB);
        if (address != null) {
            ModelDevice.putGid(reply, at + SockaddrIb.SIB_ADDR, address.getAddress());
        }
    }

    private static int paths(ModelId id, Request request) {
        boolean known = id.phase == Phase.ROUTE_RESOLVED || id.phase == Phase.CONNECTING;
        int bytes = QueryPathReply.BYTES + (known ? PathData.Layout.BYTES : 0);
        if (request.room() < bytes) {
            return refused(ModelCm.ENOSPC);
        }
        ByteBuffer reply = request.reply(bytes);
        StructFields.zero(reply, 0, bytes);
        reply.putInt(QueryPathReply.NUM_PATHS, known ? 1 : 0);
        InetSocketAddress peer = id.peer;
        if (known && peer != null) {
            int at = QueryPathReply.PATH_DATA;
            reply.putInt(at + PathData.Layout.FLAGS, PathData.Layout.FLAGS);
            int path = at + PathData.Layout.PATH;
            ModelDevice.putGid(reply, path + PathRecordBytes.Layout.DGID, peer.getAddress());
            ModelDevice.putGid(
                    reply, path + PathRecordBytes.Layout.SGID, id.requireLocal().getAddress());
            reply.putShort(path + PathRecordBytes.Layout.PKEY, (short) PKEY)
                    .put(path + PathRecordBytes.Layout.REVERSIBLE_NUMPATH, (byte) 0x81)
                    .put(path + PathRecordBytes.Layout.MTU, (byte) (EXACTLY | MTU_1024))
                    .put(path + PathRecordBytes.Layout.RATE, (byte) (EXACTLY | 2))
                    .put(path + PathRecordBytes.Layout.PACKETLIFETIME, (byte) (EXACTLY | 18));
        }
        return OK;
    }

    static int initQpAttr(ModelId id, boolean iwarp, Request request) {
        int state = request.body().getInt(InitQpAttrCommand.QP_STATE);
        int mask = iwarp ? iwarpMask(state) : mask(id, state);
        if (!id.hasDevice || state < 0 || state > STATES || mask == 0) {
            return refused(Errno.EINVAL);
        }
        ByteBuffer reply = request.reply(QpAttrBytes.BYTES);
        StructFields.zero(reply, 0, QpAttrBytes.BYTES);
        reply.putInt(QpAttrBytes.QP_ATTR_MASK, mask)
                .putInt(QpAttrBytes.PATH_MTU, MTU_1024)
                .putInt(QpAttrBytes.QKEY, id.isDatagram() ? UDP_QKEY : 0)
                .putInt(QpAttrBytes.RQ_PSN, PSN)
                .putInt(QpAttrBytes.SQ_PSN, PSN)
                .putInt(QpAttrBytes.QP_ACCESS_FLAGS, id.link == Link.NONE ? 0 : ACCESS)
                .put(QpAttrBytes.PORT_NUM, (byte) ModelDevice.PORT)
                .put(QpAttrBytes.TIMEOUT, (byte) TIMEOUT)
                .put(QpAttrBytes.RETRY_CNT, (byte) RETRIES)
                .put(QpAttrBytes.RNR_RETRY, (byte) RETRIES)
                .put(QpAttrBytes.MAX_RD_ATOMIC, (byte) id.initiatorDepth)
                .put(QpAttrBytes.MAX_DEST_RD_ATOMIC, (byte) id.responderResources);
        if (id.peer != null) {
            ModelDevice.putGid(reply, QpAttrBytes.AH_ATTR, id.peer.getAddress());
            reply.put(QpAttrBytes.AH_ATTR + AhAttrBytes.IS_GLOBAL, (byte) 1)
                    .put(QpAttrBytes.AH_ATTR + AhAttrBytes.PORT_NUM, (byte) ModelDevice.PORT)
                    .put(
                            QpAttrBytes.AH_ATTR + AhAttrBytes.SGID_INDEX,
                            ModelDevice.gidIndex(id.requireLocal().getAddress()));
        }
        if (id.other != null && id.other.said.length > 0) {
            ByteBuffer said = ByteBuffer.wrap(id.other.said).order(ByteOrder.nativeOrder());
            reply.putInt(QpAttrBytes.DEST_QP_NUM, said.getInt(ConnParam.QP_NUM));
        }
        return OK;
    }

    /** The attribute mask over iWARP, where the kernel itself moves the queue pair to RTR and RTS. */
    private static int iwarpMask(int state) {
        return switch (state) {
            case INIT, RTR -> IWARP_INIT_MASK;
            case RTS -> IWARP_RTS_MASK;
            default -> 0;
        };
    }

    /**
     * Returns the attribute mask for {@code state}, or 0 if the kernel refuses. Without a peer, {@code state} is
     * ignored.
     */
    private static int mask(ModelId id, int state) {
        if (id.isDatagram()) {
            return UD_INIT_MASK;
        }
        if (id.link == Link.NONE) {
            return INIT_MASK;
        }
        boolean withPeer = WITH_PEER.contains(id.link) && id.other != null;
        return switch (state) {
            case INIT -> withPeer || id.link == Link.REQ_SENT ? INIT_MASK : 0;
            case RTR -> withPeer ? RTR_MASK : 0;
            case RTS -> withPeer ? RTS_MASK : 0;
            default -> 0;
        };
    }
}
