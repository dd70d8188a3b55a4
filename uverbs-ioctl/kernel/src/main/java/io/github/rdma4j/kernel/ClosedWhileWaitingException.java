// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

/** Thrown when another thread closes the object that the current thread is waiting on. */
public final class ClosedWhileWaitingException extends RdmaException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception for the closed object {@code name}. */
    public ClosedWhileWaitingException(String name) {
        super(name + " was closed by another thread during the wait");
    }
}
