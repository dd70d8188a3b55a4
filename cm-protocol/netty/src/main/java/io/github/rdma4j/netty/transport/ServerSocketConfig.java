// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import static io.github.rdma4j.netty.transport.RdmaChannelOption.WIRE;
import static io.netty.channel.ChannelOption.SO_BACKLOG;
import static io.netty.channel.ChannelOption.SO_KEEPALIVE;
import static io.netty.channel.ChannelOption.SO_RCVBUF;
import static io.netty.channel.ChannelOption.SO_REUSEADDR;
import static io.netty.channel.ChannelOption.SO_SNDBUF;

import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ServerSocketChannelConfig;
import java.util.Map;

/** The options of a listening channel. Those of buffers and keepalive are for the connections that it accepts. */
final class ServerSocketConfig extends DefaultChannelConfig implements ServerSocketChannelConfig {
    private static final int BACKLOG = 128;

    private static final SocketOptions<ServerSocketConfig> OPTIONS = new SocketOptions<ServerSocketConfig>()
            .with(SO_BACKLOG, ServerSocketConfig::getBacklog, ServerSocketConfig::setBacklog)
            .with(SO_RCVBUF, ServerSocketConfig::getReceiveBufferSize, ServerSocketConfig::setReceiveBufferSize)
            .with(SO_SNDBUF, config -> config.sizes.send(), (config, bytes) -> config.sizes.send(bytes))
            .with(SO_REUSEADDR, ServerSocketConfig::isReuseAddress, ServerSocketConfig::setReuseAddress)
            .with(SO_KEEPALIVE, config -> config.keepAlive, (config, on) -> config.keepAlive = on)
            .with(WIRE, ServerSocketConfig::wire, (config, wire) -> config.wire = wire);

    private final Runnable autoReadCleared;
    private final BufferSizes sizes = new BufferSizes();
    private volatile int backlog = BACKLOG;
    private volatile boolean reuseAddress;
    private volatile boolean keepAlive;
    private volatile RdmaWire wire = RdmaWire.ANY;

    ServerSocketConfig(Channel channel, Runnable autoReadCleared) {
        super(channel, new ServerChannelRecvByteBufAllocator());
        this.autoReadCleared = autoReadCleared;
    }

    StreamSettings settings() {
        return sizes.settings(getConnectTimeoutMillis(), keepAlive, null);
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
    public int getBacklog() {
        return backlog;
    }

    @Override
    public ServerSocketConfig setBacklog(int connections) {
        if (connections < 0) {
            throw new IllegalArgumentException("the backlog is " + connections + "; it must be 0 or more");
        }
        backlog = connections;
        return this;
    }

    @Override
    public boolean isReuseAddress() {
        return reuseAddress;
    }

    @Override
    public ServerSocketConfig setReuseAddress(boolean value) {
        reuseAddress = value;
        return this;
    }

    @Override
    public int getReceiveBufferSize() {
        return sizes.receive();
    }

    @Override
    public ServerSocketConfig setReceiveBufferSize(int bytes) {
        sizes.receive(bytes);
        return this;
    }

    @Override
    public ServerSocketConfig setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        return this;
    }

    // The others, for callers who go on with options of sockets.

    @Override
    public ServerSocketConfig setConnectTimeoutMillis(int millis) {
        super.setConnectTimeoutMillis(millis);
        return this;
    }

    @Override
    @Deprecated
    public ServerSocketConfig setMaxMessagesPerRead(int messages) {
        super.setMaxMessagesPerRead(messages);
        return this;
    }

    @Override
    public ServerSocketConfig setWriteSpinCount(int count) {
        super.setWriteSpinCount(count);
        return this;
    }

    @Override
    public ServerSocketConfig setAllocator(ByteBufAllocator allocator) {
        super.setAllocator(allocator);
        return this;
    }

    @Override
    public ServerSocketConfig setRecvByteBufAllocator(RecvByteBufAllocator allocator) {
        super.setRecvByteBufAllocator(allocator);
        return this;
    }

    @Override
    public ServerSocketConfig setAutoRead(boolean value) {
        super.setAutoRead(value);
        return this;
    }

    @Override
    public ServerSocketConfig setMessageSizeEstimator(MessageSizeEstimator estimator) {
        super.setMessageSizeEstimator(estimator);
        return this;
    }

    @Override
    public ServerSocketConfig setWriteBufferHighWaterMark(int bytes) {
        super.setWriteBufferHighWaterMark(bytes);
        return this;
    }

    @Override
    public ServerSocketConfig setWriteBufferLowWaterMark(int bytes) {
        super.setWriteBufferLowWaterMark(bytes);
        return this;
    }

    @Override
    public ServerSocketConfig setWriteBufferWaterMark(WriteBufferWaterMark marks) {
        super.setWriteBufferWaterMark(marks);
        return this;
    }
}
