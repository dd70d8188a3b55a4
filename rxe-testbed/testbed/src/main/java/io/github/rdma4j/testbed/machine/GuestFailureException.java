// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import io.github.rdma4j.testbed.host.TestbedException;

/** A guest failed; carries the last lines of its kernel. */
public final class GuestFailureException extends TestbedException {
    private static final long serialVersionUID = 1L;

    private final GuestFailure failure;
    private final String kernelLines;

    public GuestFailureException(GuestFailure failure, String message, String kernelLines) {
        super(message);
        this.failure = failure;
        this.kernelLines = kernelLines;
    }

    public GuestFailure failure() {
        return failure;
    }

    /** The last lines that the guest's kernel wrote on its console; empty if the kernel wrote nothing. */
    public String kernelLines() {
        return kernelLines;
    }

    @Override
    public int exitStatus() {
        return failure.exitStatus();
    }
}
