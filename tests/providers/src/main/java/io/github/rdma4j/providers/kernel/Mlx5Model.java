// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.DriverIds;
import java.nio.ByteBuffer;

/** mlx5_ib, with a ConnectX-5. */
final class Mlx5Model implements DriverModel {
    static final String DEVICE = "mlx5_0";

    private static final int VENDOR = 0x2c9;
    private static final int CONNECTX_5 = 0x1017;
    private static final int MANY = 1 << 18;
    private static final int LARGEST_RING = 1 << 15;
    private static final int READS = 16;
    private static final int PIECES = 30;
    private static final int XRC = 1 << 20;

    @Override
    public String device() {
        return DEVICE;
    }

    @Override
    public int driverId() {
        return DriverIds.RDMA_DRIVER_MLX5;
    }

    @Override
    public UserContext open(Hca hca, UverbsFile file, ByteBuffer request) throws Refusal {
        return new Mlx5UserContext(hca, file, request);
    }

    @Override
    public void describe(Hca hca, ByteBuffer reply) {
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
}
