// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import java.nio.ByteBuffer;

/** What kind of kernel and device a {@link CardKernel} has. As it comes: E810 over RoCE. */
public final class IrdmaSettings extends CardSettings<IrdmaSettings> {
    /** The most quanta of a shared receive ring. */
    static final int MOST_SHARED_QUANTA = 262_144;

    private static final int ABI = 5;

    int generation = 2;
    int chunk = 8;

    /** Elements that the kernel sends before those of the process; none over RoCE. */
    int kernelSends;

    /** A kernel as it comes. */
    public IrdmaSettings() {
        super(DriverModel.IRDMA);
        driverAbi = ABI;
    }

    /** E810 over iWARP. */
    public IrdmaSettings iwarp() {
        kernelSends = 3;
        iwarp = true;
        return this;
    }

    /** X722, which does iWARP only. */
    public IrdmaSettings x722() {
        generation = 1;
        chunk = 2;
        kernelSends = 1;
        iwarp = true;
        return this;
    }

    /** The third generation, over RoCE. */
    public IrdmaSettings gen3() {
        generation = 3;
        return this;
    }

    boolean isThirdGeneration() {
        return generation == 3;
    }

    boolean isFirstGeneration() {
        return generation == 1;
    }

    boolean isIwarp() {
        return kernelSends > 0;
    }

    int pieces() {
        return isFirstGeneration() ? 3 : isThirdGeneration() ? 14 : 13;
    }

    int readPieces() {
        return isFirstGeneration() ? 1 : pieces();
    }

    int inline() {
        return isFirstGeneration() ? 48 : isThirdGeneration() ? 216 : 101;
    }

    @Override
    void describe(ByteBuffer reply) {
        super.describe(reply);
        boolean third = isThirdGeneration();
        reply.putInt(DeviceAttrBytes.MAX_SGE, pieces())
                .putInt(DeviceAttrBytes.MAX_SGE_RD, readPieces())
                .putInt(DeviceAttrBytes.ATOMIC_CAP, third && atomics ? 1 : 0)
                .putInt(DeviceAttrBytes.MAX_SRQ, third ? model().most(DeviceAttrBytes.MAX_QP) : 0)
                .putInt(DeviceAttrBytes.MAX_SRQ_WR, third ? MOST_SHARED_QUANTA - 1 : 0)
                .putInt(DeviceAttrBytes.MAX_SRQ_SGE, third ? pieces() : 0);
    }

    @Override
    UserContext open(Hca hca, UverbsFile file, ByteBuffer request) throws Refusal {
        return new IrdmaUserContext(hca, file, request, this);
    }

    @Override
    public String toString() {
        String device = isFirstGeneration() ? "X722" : isIwarp() ? "E810 over iWARP" : "E810 over RoCE";
        return (isThirdGeneration() ? "generation 3" : device) + ", " + timing;
    }
}
