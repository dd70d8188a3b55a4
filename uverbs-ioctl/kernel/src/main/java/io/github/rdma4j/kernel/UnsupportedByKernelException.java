// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

/** Thrown when the running kernel or the device's driver lacks a requested feature. */
public final class UnsupportedByKernelException extends RdmaException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception; {@code message} names the missing feature. */
    public UnsupportedByKernelException(String message) {
        super(message);
    }
}
