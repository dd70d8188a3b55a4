// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketImpl;

/** Makes what is below plain sockets, by the rules of a provider. */
public final class PlainSockets {
    private final StreamProvider provider;

    /** Sockets that go the ways of {@code provider}'s channels. */
    public PlainSockets(StreamProvider provider) {
        this.provider = provider;
    }

    /** What is below a new socket that connects, or that is to be accepted. */
    public SocketImpl stream() {
        return new PlainStream(provider);
    }

    /** What is below a new socket that listens. */
    public SocketImpl listener() {
        return new PlainListener(provider);
    }

    /** Whether a socket of any factory goes over RDMA. */
    public static boolean isOverRdma(Socket socket) throws IOException {
        try {
            return socket.getOption(TcpOptions.OVER_RDMA);
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }
}
