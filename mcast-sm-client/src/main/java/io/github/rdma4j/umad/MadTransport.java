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
 * <p>Several threads may send at the same time; one thread receives. The transport may replace the upper 32 bits of the
 * transaction id of a request; the answer then has these bits too. Match answers by the lower 32 bits.
 */
public interface MadTransport extends AutoCloseable {

    /** Reads the port now. Its LID and the LID of the subnet manager may have changed since the last call. */
    LocalPort port() throws RdmaException;

    /**
     * Sends one MAD of 256 bytes.
     *
     * @param to the destination
     * @param mad the bytes between position and limit; the transport keeps no reference
     * @param timeout the longest time until an answer; zero for a MAD without an answer. After the timeout, {@link
     *     #receive} may deliver a MAD with the status {@link ReceivedMad#NO_ANSWER} and the transaction id of the
     *     request
     * @param retries the number of times that the transport repeats the MAD after {@code timeout}
     */
    void send(MadAddress to, ByteBuffer mad, Duration timeout, int retries) throws RdmaException;

    /**
     * Waits for the next MAD.
     *
     * @param maxBytes the longest accepted message, at least 256. Of a longer message only the first segment is
     *     delivered, with the status {@link ReceivedMad#TOO_LONG}, and no memory is allocated for the rest. A transport
     *     that delivers single segments never delivers more than 256 bytes
     * @return empty after the timeout
     * @throws ClosedWhileWaitingException when another thread closes the transport
     * @throws InterruptedException when the thread is interrupted before or during the wait
     */
    Optional<ReceivedMad> receive(Duration timeout, int maxBytes) throws RdmaException, InterruptedException;

    /**
     * True when the transport acknowledges and reassembles answers of several segments (RMPP), so that {@link #receive}
     * delivers an answer as one long MAD. Otherwise it delivers single segments, and the caller acknowledges them.
     */
    boolean reassembles();

    /**
     * Makes {@link #receive} also deliver the reports of subnet administration. Does nothing in a transport that always
     * delivers them.
     */
    default void listenForReports() throws RdmaException {}

    /** Closes the transport and ends a waiting {@link #receive}. A second call does nothing. */
    @Override
    void close();
}
