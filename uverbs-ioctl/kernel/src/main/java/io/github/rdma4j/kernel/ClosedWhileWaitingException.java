// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

/** What a thread gets that was waiting for an event when another thread closed the thing it waited on. */
public final class ClosedWhileWaitingException extends RdmaException {
    private static final long serialVersionUID = 1L;

    public ClosedWhileWaitingException(String name) {
        super(name + " was closed by another thread while this one waited on it");
    }
}
