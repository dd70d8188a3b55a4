// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.peer;

import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;

/** One end of a connection: what {@code peer.c} does, and Java does as well. Methods that verify return how much was wrong. */
public interface End extends AutoCloseable {
    /**
     * How the peer reaches this end.
     *
     * @param qpn the queue pair
     * @param rkey the key of the memory
     * @param address the memory that the peer reads and writes
     */
    record Place(int qpn, int rkey, long address) {}

    /** Messages of consecutive numbers, at most as many as there are slots. */
    record Batch(Kind kind, int first, int count) {
        int end() {
            return first + count;
        }
    }

    Place place();

    void connect(Place peer) throws IOException, RdmaException;

    /** Prepares the memory that the peer reads or writes. */
    void fill(Batch batch) throws IOException;

    void receive(Batch batch) throws IOException, RdmaException;

    void send(Batch batch) throws IOException, RdmaException;

    /** Takes the completions of what was sent, and looks at what was fetched. */
    int sent(Batch batch) throws IOException;

    /** Takes the completions of what was received. */
    int received(Batch batch) throws IOException;

    /** Looks at the memory that the peer has written. */
    int verify(Batch batch) throws IOException;

    /** Asks for an event of the next receive. */
    void arm() throws IOException, RdmaException;

    /** Takes the event, which has been sent. */
    void takeEvent() throws IOException, RdmaException, InterruptedException;

    @Override
    void close() throws IOException, RdmaException;
}
