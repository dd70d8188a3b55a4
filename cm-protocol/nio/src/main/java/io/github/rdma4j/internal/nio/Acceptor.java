// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import org.jspecify.annotations.Nullable;

/** What listens below a channel, over TCP or over RDMA. Nothing here waits. */
interface Acceptor {
    Source source();

    /** As {@link StreamLink#onChange}. */
    default void onChange(Runnable changed) {}

    /** The local address, or null before the acceptor is bound. */
    @Nullable
    SocketAddress localAddress() throws IOException;

    /** Binds and listens. */
    void listen(SocketAddress local, int backlog) throws IOException;

    /** A new connection, or null if there is none at the moment. */
    @Nullable
    Accepted accept() throws IOException;

    <T> void setOption(SocketOption<T> name, T value) throws IOException;

    <T> T getOption(SocketOption<T> name) throws IOException;

    /** Ends waits only if the waiting threads are signalled. Idempotent. */
    void close();

    /** A new connection. */
    record Accepted(StreamLink link, SocketAddress remote) {}
}
