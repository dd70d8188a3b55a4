// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

/** A kernel in memory with one device of Broadcom's, {@code bnxt_re0}, in software. */
public final class BnxtKernel extends CardKernel {
    public BnxtKernel(BnxtSettings settings) {
        super(settings);
    }
}
