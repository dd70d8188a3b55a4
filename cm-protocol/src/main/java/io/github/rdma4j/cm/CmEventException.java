// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.RdmaException;
import org.jspecify.annotations.Nullable;

/** The kernel reported a failure in an event; the message names addresses, state and reason. */
public final class CmEventException extends RdmaException {
    private static final long serialVersionUID = 1L;

    private final CmEventType type;
    private final int status;

    /** {@code what} is the id that the event was for, and the status in words. */
    CmEventException(CmEventType type, int status, String what, @Nullable Throwable cause) {
        super(type + " for " + what + adviceAfter(type, status));
        this.type = type;
        this.status = status;
        if (cause != null) {
            initCause(cause);
        }
    }

    private static String adviceAfter(CmEventType type, int status) {
        String advice = advice(type, status);
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
