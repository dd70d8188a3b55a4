// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import java.util.Objects;

/**
 * The queue pair that a datagram goes to; see {@link CmQueues#destination} and {@link CmQueues#postDatagram}. Closing the
 * destination closes the address handle.
 *
 * @param handle the way to the peer, made in the protection domain of the queue pair that sends
 * @param qpn queue pair number to send to, 24 bits; 0xffffff for a multicast group
 * @param qkey queue key to send with
 */
public record Destination(AddressHandle handle, int qpn, int qkey) implements AutoCloseable {
    /** No component is null. */
    public Destination {
        Objects.requireNonNull(handle, "handle");
    }

    @Override
    public void close() throws RdmaException {
        handle.close();
    }
}
