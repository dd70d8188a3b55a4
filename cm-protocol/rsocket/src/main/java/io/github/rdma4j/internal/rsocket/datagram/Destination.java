// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.datagram;

import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A peer, and the way to its queue pair once the peer has introduced itself. For threads with the lock of the sender. */
final class Destination {
    private final InetSocketAddress address;
    private final Endpoint endpoint;
    private @Nullable AddressHandle handle;
    private int qpn;

    Destination(InetSocketAddress address, Endpoint endpoint) {
        this.address = address;
        this.endpoint = endpoint;
    }

    InetSocketAddress address() {
        return address;
    }

    /** The queue pair from which the peer is reached. */
    Endpoint endpoint() {
        return endpoint;
    }

    /** The way to the peer; null until the peer has introduced itself. */
    @Nullable
    AddressHandle handle() {
        return handle;
    }

    int qpn() {
        return qpn;
    }

    /** Whether the peer still has the queue pair that it introduced. */
    boolean leadsTo(int number) {
        return handle != null && qpn == number;
    }

    /** From now on, the peer is reached by {@code way}, which this destination closes. */
    void leadTo(AddressHandle way, int number) throws RdmaException {
        @Nullable AddressHandle before = handle;
        handle = way;
        qpn = number;
        if (before != null) {
            before.close();
        }
    }

    void close(FirstFailure failure) {
        failure.close(handle);
        handle = null;
    }
}
