// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.nio.channels.NetworkChannel;
import org.jspecify.annotations.Nullable;

/**
 * What is below {@code new Socket()} or {@code new ServerSocket()}: a channel of its own. As in the JDK, a socket that a program has
 * lost is closed.
 *
 * @param <C> the channel
 */
abstract class PlainSocket<C extends NetworkChannel> extends ChannelImpl<C> {
    private static final Cleaner CLEANER = Cleaner.create();

    private volatile Cleaner.@Nullable Cleanable closing;

    private final Opening<C> opening;

    /** Makes the channel. */
    @FunctionalInterface
    interface Opening<C> {
        C open() throws IOException;
    }

    /** What a channel does for a socket. */
    @FunctionalInterface
    interface Work<C, T> {
        T with(C channel) throws IOException;
    }

    PlainSocket(Opening<C> opening) {
        super(null);
        this.opening = opening;
    }

    /** The local address of a channel that is bound. */
    abstract @Nullable InetSocketAddress local(C channel);

    @Override
    protected void create(boolean stream) throws IOException {
        if (!stream) {
            throw new IOException("Datagram socket creation not supported");
        }
        use(opening.open());
    }

    void use(C made) {
        setChannel(made);
        closing = CLEANER.register(this, () -> close(made));
    }

    private static void close(NetworkChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The channel is bound. */
    void setLocal(C bound) {
        InetSocketAddress local = local(bound);
        localport = local == null ? 0 : local.getPort();
    }

    @Override
    protected void close() throws IOException {
        Cleaner.Cleanable made = closing;
        try {
            if (made != null) {
                made.clean();
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public Object getOption(int id) throws SocketException {
        if (id != SocketOptions.SO_BINDADDR) {
            return super.getOption(id);
        }
        InetSocketAddress local = local(openChannel());
        return local == null ? new InetSocketAddress(0).getAddress() : local.getAddress();
    }

    @Override
    protected <T> void setOption(SocketOption<T> name, T value) throws IOException {
        C made = channel();
        Object same = by(made, channel -> channel.setOption(name, value));
        assert same == made;
    }

    @Override
    protected <T> T getOption(SocketOption<T> name) throws IOException {
        return by(channel(), channel -> channel.getOption(name));
    }

    /** Has the channel do something, with the exceptions of a plain socket; this one is in use until it is done. */
    final <T> T by(C channel, Work<C, T> work) throws IOException {
        try {
            return work.with(channel);
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            throw SocketExceptions.plain(e, channel.isOpen());
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
