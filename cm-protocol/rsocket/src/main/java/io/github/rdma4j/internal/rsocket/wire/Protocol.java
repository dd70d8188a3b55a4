// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import io.github.rdma4j.kernel.RdmaException;

/** What the life of a stream needs of the engine behind it. Not safe for use by several threads. */
public interface Protocol {
    /** Sends what is due, and what has waited. */
    void proceed() throws RdmaException;

    /** The send with this number, and all before it, are complete. */
    void sent(long number);

    /** The number of bytes that can be read. */
    int available();

    /** True if nothing can be read now or later. */
    boolean atEnd();

    /** True if a write would send at least one byte. */
    boolean maySend();

    /** True if a write to memory that the peer has mapped would send at least one byte. */
    default boolean mayWriteAt() {
        return false;
    }

    /** True until this side has shut down its output. */
    boolean outputOpen();

    /** True if the peer listens no more. */
    boolean peerGone();

    /** Sends no more data, and says so to the peer. */
    void shutdownOutput() throws RdmaException;

    /** Takes no more data; what comes is dropped. */
    void shutdownInput() throws RdmaException;

    /** Ends both directions. The peer gets what was written; {@link #isDrained} says when. */
    void disconnect() throws RdmaException;

    /** True if this side says nothing more, and all that it had to say has reached the peer. */
    boolean isDrained();

    /**
     * Asks the peer's device for a sign of life that its program does not notice. When nothing can be sent for it, the answer to
     * something that is under way counts.
     */
    void keepAlive() throws RdmaException;

    /** True if the last {@link #keepAlive} was answered, or there was none. */
    boolean isAnswered();

    /** The connection is broken: nothing can be sent any more, and what has come can still be read. */
    void lost();
}
