// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import static io.github.rdma4j.netty.transport.RdmaChannelOption.WIRE;

import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DefaultSocketChannelConfig;
import io.netty.channel.socket.SocketChannel;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImpl;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a channel. Buffer sizes and keepalive count when the channel connects; delays, addresses to be used
 * again, and the type of service are stored, and mean nothing to RDMA.
 */
final class SocketConfig extends DefaultSocketChannelConfig {
    private static final int NO_LINGER = -1;

    /**
     * For Netty's class, whose methods that would use it are overridden, or do nothing. Made without a SocketImpl,
     * because a program's factory of them may refuse.
     */
    private static final Socket UNUSED = unused();

    private final Runnable autoReadCleared;
    private final BufferSizes sizes = new BufferSizes();
    private volatile int soLinger = NO_LINGER;
    private volatile int trafficClass;
    private volatile boolean tcpNoDelay = true;
    private volatile boolean keepAlive;
    private volatile RdmaWire wire = RdmaWire.ANY;
    private volatile boolean reuseAddress;

    SocketConfig(SocketChannel channel, Runnable autoReadCleared) {
        super(channel, UNUSED);
        this.autoReadCleared = autoReadCleared;
    }

    private static Socket unused() {
        try {
            return new Socket((SocketImpl) null) {};
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    StreamSettings settings(@Nullable InetSocketAddress source) {
        return sizes.settings(getConnectTimeoutMillis(), keepAlive, source);
    }

    RdmaWire wire() {
        return wire;
    }

    @Override
    protected void autoReadCleared() {
        autoReadCleared.run();
    }

    @Override
    public Map<ChannelOption<?>, Object> getOptions() {
        return getOptions(super.getOptions(), WIRE);
    }

    @Override
    @SuppressWarnings("unchecked") // the type of the option
    public <T> T getOption(ChannelOption<T> option) {
        return WIRE.equals(option) ? (T) wire : super.getOption(option);
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        if (!WIRE.equals(option)) {
            return super.setOption(option, value);
        }
        validate(option, value);
        wire = (RdmaWire) value;
        return true;
    }

    @Override
    public boolean isTcpNoDelay() {
        return tcpNoDelay;
    }

    @Override
    public SocketConfig setTcpNoDelay(boolean value) {
        tcpNoDelay = value;
        return this;
    }

    @Override
    public int getSoLinger() {
        return soLinger;
    }

    @Override
    public SocketConfig setSoLinger(int seconds) {
        soLinger = Math.max(seconds, NO_LINGER);
        return this;
    }

    @Override
    public int getSendBufferSize() {
        return sizes.send();
    }

    @Override
    public SocketConfig setSendBufferSize(int bytes) {
        sizes.send(bytes);
        return this;
    }

    @Override
    public int getReceiveBufferSize() {
        return sizes.receive();
    }

    @Override
    public SocketConfig setReceiveBufferSize(int bytes) {
        sizes.receive(bytes);
        return this;
    }

    @Override
    public boolean isKeepAlive() {
        return keepAlive;
    }

    @Override
    public SocketConfig setKeepAlive(boolean value) {
        keepAlive = value;
        return this;
    }

    @Override
    public int getTrafficClass() {
        return trafficClass;
    }

    @Override
    public SocketConfig setTrafficClass(int value) {
        trafficClass = value;
        return this;
    }

    @Override
    public boolean isReuseAddress() {
        return reuseAddress;
    }

    @Override
    public SocketConfig setReuseAddress(boolean value) {
        reuseAddress = value;
        return this;
    }
}
