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

    private static final SocketOptions<SocketConfig> OPTIONS = new SocketOptions<SocketConfig>()
            .with(SO_RCVBUF, SocketConfig::getReceiveBufferSize, SocketConfig::setReceiveBufferSize)
            .with(SO_SNDBUF, SocketConfig::getSendBufferSize, SocketConfig::setSendBufferSize)
            .with(TCP_NODELAY, SocketConfig::isTcpNoDelay, SocketConfig::setTcpNoDelay)
            .with(SO_KEEPALIVE, SocketConfig::isKeepAlive, SocketConfig::setKeepAlive)
            .with(SO_REUSEADDR, SocketConfig::isReuseAddress, SocketConfig::setReuseAddress)
            .with(SO_LINGER, SocketConfig::getSoLinger, SocketConfig::setSoLinger)
            .with(IP_TOS, SocketConfig::getTrafficClass, SocketConfig::setTrafficClass)
            .with(ALLOW_HALF_CLOSURE, SocketConfig::isAllowHalfClosure, SocketConfig::setAllowHalfClosure)
            .with(WIRE, SocketConfig::wire, (config, wire) -> config.wire = wire);

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
        return getOptions(super.getOptions(), OPTIONS.all());
    }

    @Override
    public <T> T getOption(ChannelOption<T> option) {
        T value = OPTIONS.get(this, option);
        return value == null ? super.getOption(option) : value;
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        validate(option, value);
        return OPTIONS.set(this, option, value) || super.setOption(option, value);
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
