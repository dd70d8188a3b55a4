// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.DriverIds;
import java.nio.ByteBuffer;

/** mlx4_ib, with a ConnectX-3. */
final class Mlx4Model implements DriverModel {
    static final String DEVICE = "mlx4_0";

    static final int MOST_REQUESTS = 16351;
    static final int MOST_PIECES = 32;
    static final int MOST_COMPLETIONS = (1 << 22) - 1;
    static final int MOST_SHARED_RECEIVES = 16383;

    private static final int VENDOR = 0x2c9;
    private static final int CONNECTX_3 = 0x1003;
    private static final int MANY = 1 << 17;
    private static final int READS = 16;
    private static final int XRC = 1 << 20;
    private static final int XRC_QPN = 1 << 23;

    @Override
    public String device() {
        return DEVICE;
    }

    @Override
    public int driverId() {
        return DriverIds.RDMA_DRIVER_MLX4;
    }

    @Override
    public int targetNumber(int free) {
        return XRC_QPN | free;
    }

    @Override
    public UserContext open(Hca hca, UverbsFile file, ByteBuffer request) {
        return new Mlx4UserContext(hca, file);
    }

    @Override
    public void describe(Hca hca, ByteBuffer reply) {
        reply.putLong(DeviceAttrBytes.FW_VER, 2L << 32 | 42L << 16 | 5000)
                .putLong(DeviceAttrBytes.NODE_GUID, Long.reverseBytes(Hca.NODE_GUID))
                .putLong(DeviceAttrBytes.SYS_IMAGE_GUID, Long.reverseBytes(Hca.NODE_GUID))
                .putLong(DeviceAttrBytes.MAX_MR_SIZE, -1)
                .putLong(DeviceAttrBytes.PAGE_SIZE_CAP, 0xffff_fe00L)
                .putInt(DeviceAttrBytes.VENDOR_ID, VENDOR)
                .putInt(DeviceAttrBytes.VENDOR_PART_ID, CONNECTX_3)
                .putInt(DeviceAttrBytes.MAX_QP, MANY)
                .putInt(DeviceAttrBytes.MAX_QP_WR, MOST_REQUESTS)
                .putInt(DeviceAttrBytes.DEVICE_CAP_FLAGS, hca.settings().xrc ? XRC : 0)
                .putInt(DeviceAttrBytes.MAX_SGE, MOST_PIECES)
                .putInt(DeviceAttrBytes.MAX_SGE_RD, MOST_PIECES - 2)
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
                .putInt(DeviceAttrBytes.MAX_AH, Integer.MAX_VALUE)
                .putInt(DeviceAttrBytes.MAX_SRQ, MANY)
                .putInt(DeviceAttrBytes.MAX_SRQ_WR, MOST_SHARED_RECEIVES)
                .putInt(DeviceAttrBytes.MAX_SRQ_SGE, 31)
                .putShort(DeviceAttrBytes.MAX_PKEYS, (short) 128)
                .put(DeviceAttrBytes.PHYS_PORT_CNT, (byte) Hca.PORT);
    }
}
