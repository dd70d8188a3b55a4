// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.DriverIds;
import java.nio.ByteBuffer;

/** The driver irdma. */
final class IrdmaModel implements DriverModel {
    static final String DEVICE = "irdma_0";

    static final int MOST_COMPLETIONS = 1_048_575;

    private static final int INTEL = 0x8086;
    private static final int PART = 0x1592;
    private static final int MANY = 1 << 17;
    private static final int READS = 127;
    private static final int MOST_SHARED_RECEIVES = IrdmaUserContext.MOST_SHARED_QUANTA - 1;

    boolean iwarp;

    @Override
    public String device() {
        return DEVICE;
    }

    @Override
    public int driverId() {
        return DriverIds.RDMA_DRIVER_IRDMA;
    }

    @Override
    public boolean isIwarp() {
        return iwarp;
    }

    @Override
    public void describe(Hca hca, ByteBuffer reply) {
        IrdmaSettings settings = (IrdmaSettings) hca.settings();
        reply.putLong(DeviceAttrBytes.NODE_GUID, Long.reverseBytes(Hca.NODE_GUID))
                .putLong(DeviceAttrBytes.SYS_IMAGE_GUID, Long.reverseBytes(Hca.NODE_GUID))
                .putLong(DeviceAttrBytes.MAX_MR_SIZE, 1L << 45)
                .putLong(DeviceAttrBytes.PAGE_SIZE_CAP, 0x7fff_f000L)
                .putInt(DeviceAttrBytes.VENDOR_ID, INTEL)
                .putInt(DeviceAttrBytes.VENDOR_PART_ID, PART)
                .putInt(DeviceAttrBytes.MAX_QP, MANY)
                .putInt(DeviceAttrBytes.MAX_QP_WR, 4063)
                .putInt(DeviceAttrBytes.MAX_SGE, IrdmaUserContext.pieces(settings))
                .putInt(DeviceAttrBytes.MAX_SGE_RD, IrdmaUserContext.readPieces(settings))
                .putInt(DeviceAttrBytes.MAX_CQ, MANY)
                .putInt(DeviceAttrBytes.MAX_CQE, MOST_COMPLETIONS)
                .putInt(DeviceAttrBytes.MAX_MR, MANY)
                .putInt(DeviceAttrBytes.MAX_PD, MANY)
                .putInt(DeviceAttrBytes.MAX_QP_RD_ATOM, READS)
                .putInt(DeviceAttrBytes.MAX_RES_RD_ATOM, MANY)
                .putInt(DeviceAttrBytes.MAX_QP_INIT_RD_ATOM, READS)
                .put(DeviceAttrBytes.PHYS_PORT_CNT, (byte) Hca.PORT);
        if (settings.isThirdGeneration()) {
            reply.putInt(DeviceAttrBytes.ATOMIC_CAP, settings.atomics ? 1 : 0)
                    .putInt(DeviceAttrBytes.MAX_SRQ, MANY)
                    .putInt(DeviceAttrBytes.MAX_SRQ_WR, MOST_SHARED_RECEIVES)
                    .putInt(DeviceAttrBytes.MAX_SRQ_SGE, IrdmaUserContext.pieces(settings));
        }
    }

    @Override
    public UserContext open(Hca hca, UverbsFile file, ByteBuffer request) throws Refusal {
        return new IrdmaUserContext(hca, file, request);
    }
}
