// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

/** What kind of kernel and device an {@link IrdmaKernel} has. As it comes: E810 over RoCE. */
public final class IrdmaSettings extends CardSettings<IrdmaSettings> {
    private static final int ABI = 5;

    int generation = 2;
    int chunk = 8;

    /** Elements that the kernel sends before those of the process; none over RoCE. */
    int kernelSends;

    /** A kernel as it comes. */
    public IrdmaSettings() {
        super(new IrdmaModel());
        driverAbi = ABI;
    }

    @Override
    IrdmaSettings self() {
        return this;
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

    @Override
    public String toString() {
        String device = isFirstGeneration() ? "X722" : isIwarp() ? "E810 over iWARP" : "E810 over RoCE";
        return (isThirdGeneration() ? "generation 3" : device) + ", " + timing;
    }
}
