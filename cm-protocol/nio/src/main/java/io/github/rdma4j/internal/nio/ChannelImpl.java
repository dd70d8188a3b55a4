// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is below a socket over a channel: the options. For sockets that override everything else, and for implementations of one kind of
 * sockets.
 *
 * @param <C> the channel
 */
class ChannelImpl<C extends NetworkChannel> extends SocketImpl {
    private static final Map<Integer, SocketOption<?>> NAMES = Map.ofEntries(
            Map.entry(SocketOptions.TCP_NODELAY, StandardSocketOptions.TCP_NODELAY),
            Map.entry(SocketOptions.SO_KEEPALIVE, StandardSocketOptions.SO_KEEPALIVE),
            Map.entry(SocketOptions.SO_REUSEADDR, StandardSocketOptions.SO_REUSEADDR),
            Map.entry(SocketOptions.SO_REUSEPORT, StandardSocketOptions.SO_REUSEPORT),
            Map.entry(SocketOptions.SO_LINGER, StandardSocketOptions.SO_LINGER),
            Map.entry(SocketOptions.SO_SNDBUF, StandardSocketOptions.SO_SNDBUF),
            Map.entry(SocketOptions.SO_RCVBUF, StandardSocketOptions.SO_RCVBUF),
            Map.entry(SocketOptions.IP_TOS, StandardSocketOptions.IP_TOS),
            Map.entry(SocketOptions.SO_OOBINLINE, TcpOptions.OOB_INLINE));

    private volatile @Nullable C channel;
    private volatile int timeoutMillis;

    /** Null for a channel that comes later. */
    ChannelImpl(@Nullable C channel) {
        this.channel = channel;
    }

    void setChannel(C made) {
        channel = made;
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
        return Sleep.nanos(timeoutMillis);
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
        return SocketExceptions.caused(new SocketException(e.getMessage()), e);
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        C made = channel;
        return made == null ? Set.of() : made.supportedOptions();
    }

    private static UnsupportedOperationException refusal() {
        return new UnsupportedOperationException("nothing calls this");
    }

    /** The channel is there. */
    @Override
    protected void create(boolean stream) throws IOException {}

    @Override
    protected void connect(String host, int port) throws IOException {
        throw refusal();
    }

    @Override
    protected void connect(InetAddress address, int port) throws IOException {
        throw refusal();
    }

    @Override
    protected void connect(SocketAddress address, int timeout) throws IOException {
        throw refusal();
    }

    @Override
    protected void bind(InetAddress host, int port) throws IOException {
        throw refusal();
    }

    @Override
    protected void listen(int backlog) throws IOException {
        throw refusal();
    }

    @Override
    protected void accept(SocketImpl s) throws IOException {
        throw refusal();
    }

    @Override
    protected InputStream getInputStream() throws IOException {
        throw refusal();
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        throw refusal();
    }

    @Override
    protected int available() throws IOException {
        throw refusal();
    }

    @Override
    protected void close() throws IOException {
        throw refusal();
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        throw refusal();
    }
}
