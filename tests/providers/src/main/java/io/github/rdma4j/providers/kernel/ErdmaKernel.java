// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

/**
 * A kernel in memory with one elastic RDMA adapter, {@code erdma_0}, in software. Other than on the real kernel, the verbs can move
 * queue pairs to RTS as well as a connection manager.
 */
public final class ErdmaKernel extends CardKernel {
    /** The name of the device. */
    public static final String DEVICE = ErdmaModel.DEVICE;

    /** A kernel as it comes. */
    public ErdmaKernel() {
        this(new ErdmaSettings());
    }

    public ErdmaKernel(ErdmaSettings settings) {
        super(settings);
    }
}
