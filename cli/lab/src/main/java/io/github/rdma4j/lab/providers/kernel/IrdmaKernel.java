// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.kernel;

/**
 * A kernel in memory with one device of Intel's, {@code irdma_0}, in software. Over iWARP, a change of state by the verbs stands for
 * what the connection manager of the real kernel does.
 */
public final class IrdmaKernel extends CardKernel {
    public IrdmaKernel(IrdmaSettings settings) {
        super(settings);
    }
}
