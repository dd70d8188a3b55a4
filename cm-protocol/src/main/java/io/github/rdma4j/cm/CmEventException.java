// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.RdmaException;
import org.jspecify.annotations.Nullable;

/** The exception for an event that reports a failure. Its message contains the addresses, the state and the reason. */
public final class CmEventException extends RdmaException {
    private static final long serialVersionUID = 1L;

    private final CmEventType type;
    private final int status;
    private final byte[] privateData;

    /** {@code what} is the id of the event, and the status in words. */
    CmEventException(CmEventType type, int status, byte[] privateData, String what, @Nullable Throwable cause) {
        super(type + " for " + what + adviceAfter(type, status));
        this.type = type;
        this.status = status;
        this.privateData = privateData;
        if (cause != null) {
            initCause(cause);
        }
    }

    private static String adviceAfter(CmEventType type, int status) {
        String advice = advice(type, status);
        return advice.isEmpty() ? "" : ". " + advice;
    }

    /**
     * Returns what an event of the given type and status means and how to correct the cause; part of the message of
     * this exception.
     *
     * @param status as {@link CmEvent#status()}: a negative error number, or a number from the peer
     * @return a sentence without a full stop; an empty string if there is no advice
     */
    public static String advice(CmEventType type, int status) {
        return Advice.on(type, status);
    }

    /** Returns the type of the event that reported the failure. */
    public CmEventType type() {
        return type;
    }

    /** Returns what the peer said with the event, such as a rejection; see {@link CmEvent#privateData()}. */
    public byte[] privateData() {
        return privateData.clone();
    }

    /** Returns the status of the event; see {@link CmEvent#status()}. */
    public int status() {
        return status;
    }
}
