// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A plain socket that listens. */
final class PlainListener extends PlainSocket<StreamServerChannel> {
    PlainListener(Opening<StreamServerChannel> opening) {
        super(opening);
    }

    @Override
    @Nullable
    InetSocketAddress local(StreamServerChannel channel) {
        return channel.local();
    }

    /** The channel is bound when it listens, as a listener over RDMA is. */
    @Override
    protected void bind(InetAddress host, int toPort) {
        address = host;
        port = toPort;
    }

    @Override
    @SuppressWarnings("CheckReturnValue")
    protected void listen(int backlog) throws IOException {
        by(channel(), channel -> channel.bind(new InetSocketAddress(address, port), backlog));
        port = 0;
        setLocal(channel());
    }

    @Override
    protected void accept(SocketImpl target) throws IOException {
        if (!(target instanceof PlainStream stream) || stream.isCreated()) {
            throw new SocketException("a new socket of this factory is needed to accept, not one of "
                    + target.getClass().getName() + ": let a program set one factory only, before its first socket");
        }
        stream.adopt(by(channel(), channel -> Objects.requireNonNull(channel.acceptLimited(nanos()))));
    }
}
