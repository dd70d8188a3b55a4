// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.RdmaException;

/** The kernel reported a failure in an event; the message names addresses, state and reason. */
public final class CmEventException extends RdmaException {
    private static final long serialVersionUID = 1L;

    private final CmEventType type;
    private final int status;

    CmEventException(CmEvent event) {
        super(event.type() + " for " + event.id() + ": " + event.describeStatus() + advice(event));
        type = event.type();
        status = event.status();
        event.failure().ifPresent(this::initCause);
    }

    private static String advice(CmEvent event) {
        String advice = advice(event.type(), event.status());
        return advice.isEmpty() ? "" : ". " + advice;
    }

    /**
     * What an event of that type with that status means and what can be done about it, as the message of this exception
     * says it: a sentence without a full stop, or nothing where nothing is known.
     *
     * @param status as {@link CmEvent#status()}: minus an error number, or a number from the wire
     */
    public static String advice(CmEventType type, int status) {
        return Advice.on(type, status);
    }

    public CmEventType type() {
        return type;
    }

    /** As {@link CmEvent#status()}. */
    public int status() {
        return status;
    }
}
