// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.erdma.Elements;
import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.DriverIds;
import java.nio.ByteBuffer;

/** The driver erdma over iWARP. */
final class ErdmaModel implements DriverModel {
    static final String DEVICE = "erdma_0";

    static final int MOST_REQUESTS = 8192;
    static final int MOST_COMPLETIONS = 1 << 20;

    private static final int ALIBABA = 0x1ded;
    private static final int PART = 0x107f;
    private static final int MANY = 1 << 17;
    private static final int READS = 128;

    boolean iwarp = true;

    @Override
    public String device() {
        return DEVICE;
    }

    @Override
    public int driverId() {
        return DriverIds.RDMA_DRIVER_ERDMA;
    }

    @Override
    public boolean isIwarp() {
        return iwarp;
    }

    @Override
    public void describe(Hca hca, ByteBuffer reply) {
        reply.putLong(DeviceAttrBytes.NODE_GUID, Long.reverseBytes(Hca.NODE_GUID))
                .putLong(DeviceAttrBytes.SYS_IMAGE_GUID, Long.reverseBytes(Hca.NODE_GUID))
                .putLong(DeviceAttrBytes.MAX_MR_SIZE, 1L << 35)
                .putLong(DeviceAttrBytes.PAGE_SIZE_CAP, 0x7fff_f000L)
                .putInt(DeviceAttrBytes.VENDOR_ID, ALIBABA)
                .putInt(DeviceAttrBytes.VENDOR_PART_ID, PART)
                .putInt(DeviceAttrBytes.MAX_QP, MANY)
                .putInt(DeviceAttrBytes.MAX_QP_WR, MOST_REQUESTS)
                .putInt(DeviceAttrBytes.MAX_SGE, Elements.MOST_RECEIVE_PIECES)
                .putInt(DeviceAttrBytes.MAX_SGE_RD, 1)
                .putInt(DeviceAttrBytes.MAX_CQ, MANY)
                .putInt(DeviceAttrBytes.MAX_CQE, MOST_COMPLETIONS)
                .putInt(DeviceAttrBytes.MAX_MR, MANY)
                .putInt(DeviceAttrBytes.MAX_PD, MANY)
                .putInt(DeviceAttrBytes.MAX_QP_RD_ATOM, READS)
                .putInt(DeviceAttrBytes.MAX_RES_RD_ATOM, MANY)
                .putInt(DeviceAttrBytes.MAX_QP_INIT_RD_ATOM, READS)
                .putInt(DeviceAttrBytes.ATOMIC_CAP, 1)
                .put(DeviceAttrBytes.PHYS_PORT_CNT, (byte) Hca.PORT);
    }

    @Override
    public UserContext open(Hca hca, UverbsFile file, ByteBuffer request) throws Refusal {
        return new ErdmaUserContext(hca, file);
    }
}
