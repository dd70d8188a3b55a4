// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.kernel.RdmaException;

/**
 * How a connection becomes a stream of one wire.
 *
 * @param <S> the streams
 */
@FunctionalInterface
public interface StreamMaking<S extends StreamLife> {
    /** What a client is told whose request finds the backlog full. */
    default byte[] full() {
        return new byte[0];
    }

    /** Makes what needs neither the queue pair nor the peer; the id has a device. */
    Opened<S> open(CmId id) throws RdmaException;

    /**
     * What a connection has before its queue pair is made.
     *
     * @param link what the stream will have of the device
     * @param preparation makes the stream
     * @param <S> the streams
     */
    record Opened<S extends StreamLife>(Link link, Preparation<S> preparation) {
        /** Releases the link, if no stream has begun; the queue pair is destroyed already. */
        void release() throws RdmaException {
            try {
                link.close();
            } finally {
                link.free();
            }
        }
    }

    /**
     * Makes the stream of a connection.
     *
     * @param <S> the streams
     */
    @FunctionalInterface
    interface Preparation<S extends StreamLife> {
        /** Posts the receives: from now on the peer may send. Returns the stream, which has not begun. */
        S prepare(CmConnection connection) throws RdmaException;
    }
}
