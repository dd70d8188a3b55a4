// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is below {@code new Socket()} or {@code new ServerSocket()}: a channel of its own. As in the JDK, a socket that a program has
 * lost is closed.
 *
 * @param <C> the channel
 */
abstract class PlainSocket<C extends NetworkChannel> extends NoSocketImpl {
    private static final Cleaner CLEANER = Cleaner.create();

    private static final Map<Integer, SocketOption<?>> NAMES = Map.of(
            SocketOptions.TCP_NODELAY,
            StandardSocketOptions.TCP_NODELAY,
            SocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_KEEPALIVE,
            SocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_REUSEADDR,
            SocketOptions.SO_REUSEPORT,
            StandardSocketOptions.SO_REUSEPORT,
            SocketOptions.SO_LINGER,
            StandardSocketOptions.SO_LINGER,
            SocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_SNDBUF,
            SocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_RCVBUF,
            SocketOptions.IP_TOS,
            StandardSocketOptions.IP_TOS,
            SocketOptions.SO_OOBINLINE,
            TcpOptions.OOB_INLINE);

    private volatile @Nullable C channel;
    private volatile Cleaner.@Nullable Cleanable closing;
    private volatile int timeoutMillis;

    abstract C open() throws IOException;

    /** The local address of a channel that is bound. */
    abstract @Nullable InetSocketAddress local(C channel);

    @Override
    protected void create(boolean stream) throws IOException {
        if (!stream) {
            throw new IOException("Datagram socket creation not supported");
        }
        use(open());
    }

    void use(C made) {
        channel = made;
        closing = CLEANER.register(this, () -> close(made));
    }

    private static void close(NetworkChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isCreated() {
        return channel != null;
    }

    C channel() throws SocketException {
        C made = channel;
        if (made == null) {
            throw new SocketException("Socket not created");
        }
        return made;
    }

    C openChannel() throws SocketException {
        C made = channel();
        if (!made.isOpen()) {
            throw new SocketException("Socket closed");
        }
        return made;
    }

    long nanos() {
        return ChannelSocket.nanos(timeoutMillis);
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
    public void setOption(int id, @Nullable Object value) throws SocketException {
        C made = openChannel();
        if (id == SocketOptions.SO_TIMEOUT) {
            timeoutMillis = (int) of(Integer.class, value, id);
            return;
        }
        SocketOption<?> name = name(id);
        boolean endsLinger = id == SocketOptions.SO_LINGER && Boolean.FALSE.equals(value);
        set(made, name, endsLinger ? -1 : value, id);
    }

    private static SocketOption<?> name(int id) throws SocketException {
        SocketOption<?> name = NAMES.get(id);
        if (name == null) {
            throw new SocketException("Unknown option " + id);
        }
        return name;
    }

    private static <T> T of(Class<T> type, @Nullable Object value, int id) throws SocketException {
        if (!type.isInstance(value)) {
            throw new SocketException(
                    "Bad value for option " + id + ": " + value + "; it takes a value of " + type.getSimpleName());
        }
        return type.cast(value);
    }

    private <T> void set(C made, SocketOption<T> name, @Nullable Object value, int id) throws SocketException {
        T checked = of(name.type(), value, id);
        try {
            NetworkChannel same = made.setOption(name, checked);
            assert same == made;
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
            throw socketException(e, made);
        }
    }

    @Override
    public Object getOption(int id) throws SocketException {
        C made = openChannel();
        if (id == SocketOptions.SO_TIMEOUT) {
            return timeoutMillis;
        }
        if (id == SocketOptions.SO_BINDADDR) {
            InetSocketAddress local = local(made);
            return local == null ? new InetSocketAddress(0).getAddress() : local.getAddress();
        }
        try {
            Object value = Objects.requireNonNull(made.getOption(name(id)));
            return id == SocketOptions.SO_LINGER && value.equals(-1) ? false : value;
        } catch (IOException | UnsupportedOperationException e) {
            throw socketException(e, made);
        }
    }

    private static SocketException socketException(Exception e, NetworkChannel channel) {
        if (e instanceof IOException) {
            return SocketExceptions.socket(SocketExceptions.plain(e, channel.isOpen()));
        }
        SocketException made = new SocketException(e.getMessage());
        made.initCause(e);
        return made;
    }

    @Override
    protected <T> void setOption(SocketOption<T> name, T value) throws IOException {
        C made = channel();
        try {
            NetworkChannel same = made.setOption(name, value);
            assert same == made;
        } catch (IOException e) {
            throw SocketExceptions.plain(e, made.isOpen());
        }
    }

    @Override
    protected <T> T getOption(SocketOption<T> name) throws IOException {
        C made = channel();
        try {
            return made.getOption(name);
        } catch (IOException e) {
            throw SocketExceptions.plain(e, made.isOpen());
        }
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        C made = channel;
        return made == null ? Set.of() : made.supportedOptions();
    }
}
