// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.providers.irdma.IrdmaMode;
import java.nio.ByteBuffer;

/** What kind of kernel and device a {@link CardKernel} has. As it comes: E810 over RoCE. */
public final class IrdmaSettings extends CardSettings<IrdmaSettings> {
    private static final int ABI = 5;

    /** What the device is like. */
    IrdmaMode mode = IrdmaMode.ROCE;

    /** A kernel as it comes. */
    public IrdmaSettings() {
        super(DriverModel.IRDMA);
        driverAbi = ABI;
    }

    /** E810 over iWARP. */
    public IrdmaSettings iwarp() {
        return of(IrdmaMode.IWARP);
    }

    /** X722, which does iWARP only. */
    public IrdmaSettings x722() {
        return of(IrdmaMode.X722);
    }

    /** The third generation, over RoCE. */
    public IrdmaSettings gen3() {
        return of(IrdmaMode.GEN3);
    }

    private IrdmaSettings of(IrdmaMode device) {
        mode = device;
        iwarp = device.isIwarp();
        return this;
    }

    @Override
    void describe(ByteBuffer reply) {
        super.describe(reply);
        boolean third = mode.isThird();
        reply.putInt(DeviceAttrBytes.MAX_SGE, mode.pieces())
                .putInt(DeviceAttrBytes.MAX_SGE_RD, mode.readPieces())
                .putInt(DeviceAttrBytes.ATOMIC_CAP, third && atomics ? 1 : 0)
                .putInt(DeviceAttrBytes.MAX_SRQ, third ? model().most(DeviceAttrBytes.MAX_QP) : 0)
                .putInt(DeviceAttrBytes.MAX_SRQ_WR, third ? IrdmaMode.MOST_SHARED_QUANTA - 1 : 0)
                .putInt(DeviceAttrBytes.MAX_SRQ_SGE, third ? mode.pieces() : 0);
    }

    @Override
    UserContext open(Hca hca, UverbsFile file, ByteBuffer request) throws Refusal {
        return new IrdmaUserContext(hca, file, request, this);
    }

    @Override
    public String toString() {
        String device = !mode.hasNewFormat() ? "X722" : iwarp ? "E810 over iWARP" : "E810 over RoCE";
        return (mode.isThird() ? "generation 3" : device) + ", " + timing;
    }
}
