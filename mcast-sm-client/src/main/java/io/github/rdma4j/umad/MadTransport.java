// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/**
 * Sends and receives the management datagrams (MADs) of one local port.
 *
 * <p>Several threads may send at a time, one may receive. The transport may change the upper 32 bits of the transaction
 * id of a request, and then delivers the answer with its own upper bits: answers are matched by the lower 32.
 */
public interface MadTransport extends AutoCloseable {

    /** The port as it is now: its LID, and the LID of the subnet manager, may have changed since the last time. */
    LocalPort port() throws RdmaException;

    /**
     * Sends one MAD of 256 bytes.
     *
     * @param to where to
     * @param mad the bytes between position and limit; they are not kept
     * @param timeout how long an answer may take. When there is none, {@link #receive} may deliver a MAD with status 110
     *     and the transaction id of the request; a transport is free to say nothing. Zero: no answer is expected
     * @param retries how many times the transport itself sends again after {@code timeout}
     */
    void send(MadAddress to, ByteBuffer mad, Duration timeout, int retries) throws RdmaException;

    /**
     * Waits for the next MAD.
     *
     * @param maxBytes the longest message that is wanted, at least 256. No memory is allocated for a longer message: of
     *     that the first segment is delivered, with the status {@link ReceivedMad#TOO_LONG}. A transport that delivers
     *     segments one by one has no longer messages
     * @return empty when the time ran out
     * @throws ClosedWhileWaitingException when another thread closed the transport meanwhile
     * @throws InterruptedException when the thread was interrupted, before or while it waited
     */
    Optional<ReceivedMad> receive(Duration timeout, int maxBytes) throws RdmaException, InterruptedException;

    /**
     * Whether an answer of several segments (RMPP) is acknowledged and put together below this interface, so that {@link
     * #receive} delivers it as one long MAD. Otherwise the segments come one by one and the caller acknowledges them.
     */
    boolean reassembles();

    /**
     * Makes {@link #receive} deliver the reports of subnet administration, too. A transport that delivers them in any
     * case does nothing.
     */
    default void listenForReports() throws RdmaException {}

    /** Ends the waiting of {@link #receive}. A second time does nothing. */
    @Override
    void close();
}
