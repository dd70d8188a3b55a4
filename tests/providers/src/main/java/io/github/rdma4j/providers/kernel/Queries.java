// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.uverbs.GidBytes.GidEntryBytes;
import io.github.rdma4j.internal.uverbs.PortAttrBytes;
import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;

/** What port and GIDs are. */
final class Queries {
    private static final int ETHERNET = 2;
    private static final int ROCE_V1 = 1;
    private static final int ROCE_V2 = 2;

    private Queries() {}

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
