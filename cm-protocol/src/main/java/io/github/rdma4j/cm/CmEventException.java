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

    /** Creates an exception; {@code what} describes the id of the event and the status. */
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
     * Returns the meaning of an event with the given type and status, and advice on its cause; part of the message of
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

    /**
     * Returns the private data that the peer sent with the event, such as a rejection; see {@link
     * CmEvent#privateData()}.
     */
    public byte[] privateData() {
        return privateData.clone();
    }

    /** Returns the status of the event; see {@link CmEvent#status()}. */
    public int status() {
        return status;
    }
}
