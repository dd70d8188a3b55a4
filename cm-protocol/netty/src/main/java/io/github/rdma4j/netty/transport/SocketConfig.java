// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import static io.github.rdma4j.netty.transport.RdmaChannelOption.WIRE;
import static io.netty.channel.ChannelOption.ALLOW_HALF_CLOSURE;
import static io.netty.channel.ChannelOption.IP_TOS;
import static io.netty.channel.ChannelOption.SO_KEEPALIVE;
import static io.netty.channel.ChannelOption.SO_LINGER;
import static io.netty.channel.ChannelOption.SO_RCVBUF;
import static io.netty.channel.ChannelOption.SO_REUSEADDR;
import static io.netty.channel.ChannelOption.SO_SNDBUF;
import static io.netty.channel.ChannelOption.TCP_NODELAY;

import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannelConfig;
import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a channel. Buffer sizes and keepalive count when the channel connects; delays, addresses to be used again, and the
 * type of service are stored, and mean nothing to RDMA.
 */
final class SocketConfig extends DefaultChannelConfig implements SocketChannelConfig {
    private static final int NO_LINGER = -1;

    private final Runnable autoReadCleared;
    private final BufferSizes sizes = new BufferSizes();
    private volatile int soLinger = NO_LINGER;
    private volatile int trafficClass;
    private volatile boolean tcpNoDelay = true;
    private volatile boolean keepAlive;
    private volatile RdmaWire wire = RdmaWire.ANY;
    private volatile boolean reuseAddress;
    private volatile boolean allowHalfClosure;

    SocketConfig(Channel channel, Runnable autoReadCleared) {
        super(channel);
        this.autoReadCleared = autoReadCleared;
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
        return getOptions(
                super.getOptions(),
                SO_RCVBUF,
                SO_SNDBUF,
                TCP_NODELAY,
                SO_KEEPALIVE,
                SO_REUSEADDR,
                SO_LINGER,
                IP_TOS,
                ALLOW_HALF_CLOSURE,
                WIRE);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T getOption(ChannelOption<T> option) {
        Object value = value(option);
        return value == null ? super.getOption(option) : (T) value;
    }

    private @Nullable Object value(ChannelOption<?> option) {
        if (option.equals(SO_RCVBUF)) {
            return getReceiveBufferSize();
        }
        if (option.equals(SO_SNDBUF)) {
            return getSendBufferSize();
        }
        if (option.equals(TCP_NODELAY)) {
            return isTcpNoDelay();
        }
        if (option.equals(SO_KEEPALIVE)) {
            return isKeepAlive();
        }
        if (option.equals(SO_REUSEADDR)) {
            return isReuseAddress();
        }
        if (option.equals(SO_LINGER)) {
            return getSoLinger();
        }
        if (option.equals(IP_TOS)) {
            return getTrafficClass();
        }
        if (option.equals(ALLOW_HALF_CLOSURE)) {
            return isAllowHalfClosure();
        }
        return option.equals(WIRE) ? wire : null;
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        validate(option, value);
        if (option.equals(SO_RCVBUF)) {
            setReceiveBufferSize((Integer) value);
        } else if (option.equals(SO_SNDBUF)) {
            setSendBufferSize((Integer) value);
        } else if (option.equals(TCP_NODELAY)) {
            setTcpNoDelay((Boolean) value);
        } else if (option.equals(SO_KEEPALIVE)) {
            setKeepAlive((Boolean) value);
        } else if (option.equals(SO_REUSEADDR)) {
            setReuseAddress((Boolean) value);
        } else if (option.equals(SO_LINGER)) {
            setSoLinger((Integer) value);
        } else if (option.equals(IP_TOS)) {
            setTrafficClass((Integer) value);
        } else if (option.equals(ALLOW_HALF_CLOSURE)) {
            setAllowHalfClosure((Boolean) value);
        } else if (option.equals(WIRE)) {
            wire = (RdmaWire) value;
        } else {
            return super.setOption(option, value);
        }
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

    @Override
    public SocketConfig setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        return this;
    }

    @Override
    public boolean isAllowHalfClosure() {
        return allowHalfClosure;
    }

    @Override
    public SocketConfig setAllowHalfClosure(boolean value) {
        allowHalfClosure = value;
        return this;
    }

    // The others, for callers who go on with options of sockets.

    @Override
    public SocketConfig setConnectTimeoutMillis(int millis) {
        super.setConnectTimeoutMillis(millis);
        return this;
    }

    @Override
    @Deprecated
    public SocketConfig setMaxMessagesPerRead(int messages) {
        super.setMaxMessagesPerRead(messages);
        return this;
    }

    @Override
    public SocketConfig setWriteSpinCount(int count) {
        super.setWriteSpinCount(count);
        return this;
    }

    @Override
    public SocketConfig setAllocator(ByteBufAllocator allocator) {
        super.setAllocator(allocator);
        return this;
    }

    @Override
    public SocketConfig setRecvByteBufAllocator(RecvByteBufAllocator allocator) {
        super.setRecvByteBufAllocator(allocator);
        return this;
    }

    @Override
    public SocketConfig setAutoRead(boolean value) {
        super.setAutoRead(value);
        return this;
    }

    @Override
    public SocketConfig setAutoClose(boolean value) {
        super.setAutoClose(value);
        return this;
    }

    @Override
    public SocketConfig setMessageSizeEstimator(MessageSizeEstimator estimator) {
        super.setMessageSizeEstimator(estimator);
        return this;
    }

    @Override
    public SocketConfig setWriteBufferWaterMark(WriteBufferWaterMark marks) {
        super.setWriteBufferWaterMark(marks);
        return this;
    }
}
