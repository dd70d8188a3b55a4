// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.GidBytes.GidEntryBytes;
import io.github.rdma4j.internal.uverbs.PortAttrBytes;
import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;

/** What device, port and GIDs are, as a ConnectX-5 says it. */
final class Queries {
    private static final int VENDOR = 0x2c9;
    private static final int CONNECTX_5 = 0x1017;
    private static final int MANY = 1 << 18;
    private static final int LARGEST_RING = 1 << 15;
    private static final int READS = 16;
    private static final int PIECES = 30;
    private static final int ETHERNET = 2;
    private static final int XRC = 1 << 20;
    private static final int ROCE_V1 = 1;
    private static final int ROCE_V2 = 2;

    private Queries() {}

    static void device(Hca hca, ByteBuffer reply) {
        reply.putLong(DeviceAttrBytes.FW_VER, 16L << 32 | 35L << 16 | 2000)
                .putLong(DeviceAttrBytes.NODE_GUID, Long.reverseBytes(Hca.NODE_GUID))
                .putLong(DeviceAttrBytes.SYS_IMAGE_GUID, Long.reverseBytes(Hca.NODE_GUID))
                .putLong(DeviceAttrBytes.MAX_MR_SIZE, -1)
                .putLong(DeviceAttrBytes.PAGE_SIZE_CAP, 0xffff_f000L)
                .putInt(DeviceAttrBytes.VENDOR_ID, VENDOR)
                .putInt(DeviceAttrBytes.VENDOR_PART_ID, CONNECTX_5)
                .putInt(DeviceAttrBytes.MAX_QP, MANY)
                .putInt(DeviceAttrBytes.MAX_QP_WR, LARGEST_RING)
                .putInt(DeviceAttrBytes.DEVICE_CAP_FLAGS, hca.settings().xrc ? XRC : 0)
                .putInt(DeviceAttrBytes.MAX_SGE, PIECES)
                .putInt(DeviceAttrBytes.MAX_SGE_RD, PIECES)
                .putInt(DeviceAttrBytes.MAX_CQ, MANY)
                .putInt(DeviceAttrBytes.MAX_CQE, (1 << 22) - 1)
                .putInt(DeviceAttrBytes.MAX_MR, MANY)
                .putInt(DeviceAttrBytes.MAX_PD, MANY)
                .putInt(DeviceAttrBytes.MAX_QP_RD_ATOM, READS)
                .putInt(DeviceAttrBytes.MAX_RES_RD_ATOM, MANY)
                .putInt(DeviceAttrBytes.MAX_QP_INIT_RD_ATOM, READS)
                .putInt(DeviceAttrBytes.ATOMIC_CAP, hca.settings().atomics ? 1 : 0)
                .putInt(DeviceAttrBytes.MAX_MCAST_GRP, MANY)
                .putInt(DeviceAttrBytes.MAX_MCAST_QP_ATTACH, 240)
                .putInt(DeviceAttrBytes.MAX_AH, Integer.MAX_VALUE)
                .putInt(DeviceAttrBytes.MAX_SRQ, MANY)
                .putInt(DeviceAttrBytes.MAX_SRQ_WR, LARGEST_RING - 1)
                .putInt(DeviceAttrBytes.MAX_SRQ_SGE, 31)
                .putShort(DeviceAttrBytes.MAX_PKEYS, (short) 128)
                .put(DeviceAttrBytes.PHYS_PORT_CNT, (byte) Hca.PORT);
    }

    static void port(ByteBuffer reply) {
        reply.putInt(PortAttrBytes.PORT_CAP_FLAGS, 0x401_0000)
                .putInt(PortAttrBytes.MAX_MSG_SZ, 1 << 30)
                .putInt(PortAttrBytes.GID_TBL_LEN, 256)
                .putShort(PortAttrBytes.PKEY_TBL_LEN, (short) 1)
                .put(PortAttrBytes.STATE, (byte) 4)
                .put(PortAttrBytes.MAX_MTU, (byte) 5)
                .put(PortAttrBytes.ACTIVE_MTU, (byte) 5)
                .put(PortAttrBytes.ACTIVE_WIDTH, (byte) 2)
                .put(PortAttrBytes.ACTIVE_SPEED, (byte) 32)
                .put(PortAttrBytes.PHYS_STATE, (byte) 5)
                .put(PortAttrBytes.LINK_LAYER, (byte) ETHERNET);
    }

    /** All GIDs, or none when there is not enough room; returns how many. */
    static int gids(Hca hca, ByteBuffer room) {
        for (int i = 0; i < hca.gids().size(); i++) {
            put(hca, i, room, i * GidEntryBytes.BYTES);
        }
        return hca.gids().size();
    }

    /** One GID. */
    static void gid(Hca hca, int index, ByteBuffer room) throws Refusal {
        Refusal.unless(index >= 0 && index < hca.gids().size(), Errno.ENODATA);
        put(hca, index, room, 0);
    }

    private static void put(Hca hca, int index, ByteBuffer room, int at) {
        room.put(at + GidEntryBytes.GID, hca.gids().get(index));
        room.putInt(at + GidEntryBytes.GID_INDEX, index)
                .putInt(at + GidEntryBytes.PORT_NUM, Hca.PORT)
                .putInt(at + GidEntryBytes.GID_TYPE, index % 2 == 0 ? ROCE_V1 : ROCE_V2)
                .putInt(at + GidEntryBytes.NETDEV_IFINDEX, 1);
    }
}
