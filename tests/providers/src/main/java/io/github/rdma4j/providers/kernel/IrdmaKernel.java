// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

/**
 * A kernel in memory with one device of Intel's, {@code irdma_0}, in software. Other than on the real kernel, over iWARP the verbs can
 * move queue pairs to RTS as well as a connection manager.
 */
public final class IrdmaKernel extends CardKernel {
    public IrdmaKernel(IrdmaSettings settings) {
        super(settings);
    }
}
