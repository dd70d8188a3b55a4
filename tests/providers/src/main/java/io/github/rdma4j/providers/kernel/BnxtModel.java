// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.providers.bnxt.WatchedBnxtProvider;
import java.nio.ByteBuffer;

/** bnxt_re, with a device of Broadcom's. */
final class BnxtModel implements DriverModel {
    static final String DEVICE = "bnxt_re0";

    static final int MOST_REQUESTS = 16_384;
    static final int MOST_COMPLETIONS = 65_535;
    static final int MOST_FIXED_PIECES = 6;
    static final int MOST_PIECES = 13;
    static final int MOST_INLINE = 96;

    private static final int BROADCOM = 0x14e4;
    private static final int MANY = 1 << 16;
    private static final int READS = 126;

    /** Whether the device finds the doorbells of Java. */
    boolean watched = true;

    @Override
    public String device() {
        return DEVICE;
    }

    @Override
    public int driverId() {
        return watched ? WatchedBnxtProvider.ID : DriverIds.RDMA_DRIVER_BNXT_RE;
    }

    @Override
    public boolean isCalled(int id) {
        return id == driverId() || id == DriverIds.RDMA_DRIVER_BNXT_RE;
    }

    @Override
    public void describe(Hca hca, ByteBuffer reply) {
        BnxtSettings settings = (BnxtSettings) hca.settings();
        int pieces = settings.variable ? MOST_PIECES : MOST_FIXED_PIECES;
        reply.putLong(DeviceAttrBytes.NODE_GUID, Long.reverseBytes(Hca.NODE_GUID))
                .putLong(DeviceAttrBytes.SYS_IMAGE_GUID, Long.reverseBytes(Hca.NODE_GUID))
                .putLong(DeviceAttrBytes.MAX_MR_SIZE, 1L << 39)
                .putLong(DeviceAttrBytes.PAGE_SIZE_CAP, 0x4020_1000L)
                .putInt(DeviceAttrBytes.VENDOR_ID, BROADCOM)
                .putInt(DeviceAttrBytes.VENDOR_PART_ID, settings.chip)
                .putInt(DeviceAttrBytes.MAX_QP, MANY)
                .putInt(DeviceAttrBytes.MAX_QP_WR, MOST_REQUESTS)
                .putInt(DeviceAttrBytes.MAX_SGE, pieces)
                .putInt(DeviceAttrBytes.MAX_SGE_RD, pieces)
                .putInt(DeviceAttrBytes.MAX_CQ, MANY)
                .putInt(DeviceAttrBytes.MAX_CQE, MOST_COMPLETIONS)
                .putInt(DeviceAttrBytes.MAX_MR, MANY)
                .putInt(DeviceAttrBytes.MAX_PD, MANY)
                .putInt(DeviceAttrBytes.MAX_QP_RD_ATOM, READS)
                .putInt(DeviceAttrBytes.MAX_RES_RD_ATOM, MANY)
                .putInt(DeviceAttrBytes.MAX_QP_INIT_RD_ATOM, READS)
                .putInt(DeviceAttrBytes.ATOMIC_CAP, hca.settings().atomics ? 1 : 0)
                .putInt(DeviceAttrBytes.MAX_MCAST_GRP, MANY)
                .putInt(DeviceAttrBytes.MAX_MCAST_QP_ATTACH, 248)
                .putInt(DeviceAttrBytes.MAX_AH, MANY)
                .putInt(DeviceAttrBytes.MAX_SRQ, MANY)
                .putInt(DeviceAttrBytes.MAX_SRQ_WR, MOST_REQUESTS)
                .putInt(DeviceAttrBytes.MAX_SRQ_SGE, MOST_FIXED_PIECES)
                .putShort(DeviceAttrBytes.MAX_PKEYS, (short) 1)
                .put(DeviceAttrBytes.PHYS_PORT_CNT, (byte) Hca.PORT);
    }

    @Override
    public UserContext open(Hca hca, UverbsFile file, ByteBuffer request) throws Refusal {
        return new BnxtUserContext(hca, file, request);
    }
}
