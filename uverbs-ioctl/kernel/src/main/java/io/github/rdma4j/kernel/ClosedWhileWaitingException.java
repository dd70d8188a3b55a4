// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

/** Thrown by a wait when another thread closes the object that is waited on. */
public final class ClosedWhileWaitingException extends RdmaException {
    private static final long serialVersionUID = 1L;

    public ClosedWhileWaitingException(String name) {
        super(name + " was closed by another thread during the wait");
    }
}
