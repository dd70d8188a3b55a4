// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

/** The running kernel, or the driver of the device, does not have what was asked for. */
public final class UnsupportedByKernelException extends RdmaException {
    private static final long serialVersionUID = 1L;

    public UnsupportedByKernelException(String message) {
        super(message);
    }
}
