// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.kernel;

import io.github.rdma4j.lab.providers.card.Timing;
import java.nio.ByteBuffer;

/** What kind of kernel and device an {@link IrdmaKernel} has. As it comes: E810 over RoCE. */
public final class IrdmaSettings extends CardSettings {
    private static final int ABI = 5;

    int generation = 2;
    int chunk = 8;

    /** Elements that the kernel sends before those of the process; none over RoCE. */
    int kernelSends;

    /** A change of the reply that makes a context, for a kernel that lies. */
    ReplyChange contextReply = reply -> {};

    /** Changes a reply of the driver. */
    public interface ReplyChange {
        void make(ByteBuffer reply);
    }

    /** A kernel as it comes. */
    public IrdmaSettings() {
        super(new IrdmaModel());
        driverAbi = ABI;
    }

    @Override
    public IrdmaKernel start() {
        return new IrdmaKernel(this);
    }

    /** E810 over iWARP. */
    public IrdmaSettings iwarp() {
        kernelSends = 3;
        model().iwarp = true;
        return this;
    }

    /** X722, which does iWARP only. */
    public IrdmaSettings x722() {
        generation = 1;
        chunk = 2;
        kernelSends = 1;
        model().iwarp = true;
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

    @Override
    IrdmaModel model() {
        return (IrdmaModel) super.model();
    }

    /** The pace of the device. */
    public IrdmaSettings timing(Timing value) {
        timing = value;
        return this;
    }

    /** The soft limit of RLIMIT_MEMLOCK. */
    public IrdmaSettings lockedBytes(long limit) {
        lockedBytes = limit;
        return this;
    }

    /** A device that gives the number of a queue pair that is gone to the next object. */
    public IrdmaSettings withNumbersAgain() {
        numbersAgain = true;
        return this;
    }

    /** The ABI of the driver that the device reports. */
    public IrdmaSettings driverAbi(int abi) {
        driverAbi = abi;
        return this;
    }

    /** The driver says something else of the device. */
    public IrdmaSettings contextReply(ReplyChange change) {
        contextReply = change;
        return this;
    }

    @Override
    public IrdmaSettings sharing(SharedPages pages) {
        super.sharing(pages);
        return this;
    }

    @Override
    public String toString() {
        String device = isFirstGeneration() ? "X722" : isIwarp() ? "E810 over iWARP" : "E810 over RoCE";
        return (isThirdGeneration() ? "generation 3" : device) + ", " + timing;
    }
}
