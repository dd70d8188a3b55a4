// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;

/**
 * How a connection becomes a stream of one wire. The methods are called in the order of their declaration, each once.
 *
 * @param <S> the streams
 */
public interface StreamMaking<S extends StreamLife<?, ?>> {
    /** What a client is told whose request finds the backlog full; called alone, instead of the other methods. */
    default byte[] full() {
        return new byte[0];
    }

    /** Makes what needs neither the queue pair nor the peer; the id has a device. */
    void open(CmId id) throws RdmaException;

    /** The options of the queue pair. */
    QueuePairOptions queuePair();

    /** Posts the receives: from now on the peer may send. Returns the stream, which has not begun. */
    S prepare(CmConnection connection) throws RdmaException;

    /** What this side tells of itself. */
    byte[] description();

    /** Begins with what the peer told; {@code accepted} on the passive side. */
    void begin(byte[] told, boolean accepted) throws RdmaException;

    /** Releases what {@link #open} made, instead of a begin; the queue pair is destroyed already. */
    void release() throws RdmaException;
}
