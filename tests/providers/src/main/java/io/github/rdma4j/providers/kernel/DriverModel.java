// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.erdma.Elements;
import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.DriverIds;
import java.nio.ByteBuffer;
import java.util.List;

/** A driver in the kernel, and the table of what QUERY_DEVICE tells of its device. */
enum DriverModel {
    /** mlx4_ib, with a ConnectX-3. */
    MLX4(0, "mlx4_0", DriverIds.RDMA_DRIVER_MLX4),
    /** mlx5_ib, with a ConnectX-5. */
    MLX5(1, "mlx5_0", DriverIds.RDMA_DRIVER_MLX5),
    ERDMA(2, "erdma_0", DriverIds.RDMA_DRIVER_ERDMA),
    IRDMA(3, "irdma_0", DriverIds.RDMA_DRIVER_IRDMA),
    /** bnxt_re, with a device of Broadcom's. */
    BNXT(4, "bnxt_re0", DriverIds.RDMA_DRIVER_BNXT_RE);

    private static final int M17 = 1 << 17;
    private static final int M18 = 1 << 18;
    private static final int M16 = 1 << 16;
    private static final int ALL = Integer.MAX_VALUE;
    private static final int CQES = (1 << 22) - 1;
    private static final int RECEIVE_PIECES = Elements.MOST_RECEIVE_PIECES;

    /** In the columns: mlx4, mlx5, erdma, irdma, bnxt_re. */
    private static final List<Row> LONGS = List.of(
            new Row(DeviceAttrBytes.FW_VER, 2L << 32 | 42L << 16 | 5000, 16L << 32 | 35L << 16 | 2000, 0, 0, 0),
            new Row(DeviceAttrBytes.MAX_MR_SIZE, -1, -1, 1L << 35, 1L << 45, 1L << 39),
            new Row(
                    DeviceAttrBytes.PAGE_SIZE_CAP,
                    0xffff_fe00L,
                    0xffff_f000L,
                    0x7fff_f000L,
                    0x7fff_f000L,
                    0x4020_1000L));

    private static final List<Row> INTS = List.of(
            new Row(DeviceAttrBytes.VENDOR_ID, 0x2c9, 0x2c9, 0x1ded, 0x8086, 0x14e4),
            new Row(DeviceAttrBytes.VENDOR_PART_ID, 0x1003, 0x1017, 0x107f, 0x1592, 0),
            new Row(DeviceAttrBytes.MAX_QP, M17, M18, M17, M17, M16),
            new Row(DeviceAttrBytes.MAX_QP_WR, 16_351, 1 << 15, 8192, 4063, 16_384),
            new Row(DeviceAttrBytes.MAX_SGE, 32, 30, RECEIVE_PIECES, 0, 0),
            new Row(DeviceAttrBytes.MAX_SGE_RD, 30, 30, 1, 0, 0),
            new Row(DeviceAttrBytes.MAX_CQ, M17, M18, M17, M17, M16),
            new Row(DeviceAttrBytes.MAX_CQE, CQES, CQES, 1 << 20, 1_048_575, 65_535),
            new Row(DeviceAttrBytes.MAX_MR, M17, M18, M17, M17, M16),
            new Row(DeviceAttrBytes.MAX_PD, M17, M18, M17, M17, M16),
            new Row(DeviceAttrBytes.MAX_QP_RD_ATOM, 16, 16, 128, 127, 126),
            new Row(DeviceAttrBytes.MAX_RES_RD_ATOM, M17, M18, M17, M17, M16),
            new Row(DeviceAttrBytes.MAX_QP_INIT_RD_ATOM, 16, 16, 128, 127, 126),
            new Row(DeviceAttrBytes.MAX_MCAST_GRP, M17, M18, 0, 0, M16),
            new Row(DeviceAttrBytes.MAX_MCAST_QP_ATTACH, 248, 240, 0, 0, 248),
            new Row(DeviceAttrBytes.MAX_AH, ALL, ALL, 0, 0, M16),
            new Row(DeviceAttrBytes.MAX_SRQ, M17, M18, 0, 0, M16),
            new Row(DeviceAttrBytes.MAX_SRQ_WR, 16_383, (1 << 15) - 1, 0, 0, 16_384),
            new Row(DeviceAttrBytes.MAX_SRQ_SGE, 31, 31, 0, 0, 6));

    private static final Row KEYS = new Row(DeviceAttrBytes.MAX_PKEYS, 128, 128, 0, 0, 1);

    private final int column;
    private final String device;
    private final int driverId;

    DriverModel(int column, String device, int driverId) {
        this.column = column;
        this.device = device;
        this.driverId = driverId;
    }

    /** An attribute of the devices. */
    @SuppressWarnings("ArrayRecordComponent") // is not compared
    private record Row(int attribute, long... columns) {
        long of(int column) {
            return columns[column];
        }
    }

    /** The name of the device. */
    String device() {
        return device;
    }

    /** {@code RDMA_DRIVER_*}. */
    int driverId() {
        return driverId;
    }

    /** The reply of QUERY_DEVICE, without what settings change. */
    void describe(ByteBuffer reply) {
        reply.putLong(DeviceAttrBytes.NODE_GUID, Long.reverseBytes(Hca.NODE_GUID))
                .putLong(DeviceAttrBytes.SYS_IMAGE_GUID, Long.reverseBytes(Hca.NODE_GUID))
                .putShort(KEYS.attribute(), (short) KEYS.of(column))
                .put(DeviceAttrBytes.PHYS_PORT_CNT, (byte) Hca.PORT);
        LONGS.forEach(row -> reply.putLong(row.attribute(), row.of(column)));
        INTS.forEach(row -> reply.putInt(row.attribute(), (int) row.of(column)));
    }

    /** A limit of the device, by its place in the reply of QUERY_DEVICE. */
    int most(int attribute) {
        return INTS.stream()
                .filter(row -> row.attribute() == attribute)
                .mapToInt(row -> (int) row.of(column))
                .findFirst()
                .orElseThrow();
    }
}
