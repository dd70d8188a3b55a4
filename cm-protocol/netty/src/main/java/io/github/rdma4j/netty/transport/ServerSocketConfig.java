// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import static io.github.rdma4j.netty.transport.RdmaChannelOption.WIRE;
import static io.netty.channel.ChannelOption.SO_KEEPALIVE;
import static io.netty.channel.ChannelOption.SO_SNDBUF;

import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DefaultServerSocketChannelConfig;
import io.netty.channel.socket.ServerSocketChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.Map;

/** The options of a listening channel. Those of buffers and keepalive are for the connections that it accepts. */
final class ServerSocketConfig extends DefaultServerSocketChannelConfig {
    private static final int BACKLOG = 128;

    /** For Netty's class, whose methods that would use it are overridden, or do nothing. */
    private static final ServerSocket UNUSED = unused();

    private final Runnable autoReadCleared;
    private final BufferSizes sizes = new BufferSizes();
    private volatile boolean reuseAddress;
    private volatile boolean keepAlive;
    private volatile RdmaWire wire = RdmaWire.ANY;

    ServerSocketConfig(ServerSocketChannel channel, Runnable autoReadCleared) {
        super(channel, UNUSED);
        this.autoReadCleared = autoReadCleared;
        super.setBacklog(BACKLOG);
    }

    private static ServerSocket unused() {
        try {
            return new ServerSocket();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
        return getOptions(super.getOptions(), SO_SNDBUF, SO_KEEPALIVE, WIRE);
    }

    @Override
    @SuppressWarnings("unchecked") // the type of the option
    public <T> T getOption(ChannelOption<T> option) {
        if (SO_SNDBUF.equals(option)) {
            return (T) Integer.valueOf(sizes.send());
        }
        if (SO_KEEPALIVE.equals(option)) {
            return (T) Boolean.valueOf(keepAlive);
        }
        return WIRE.equals(option) ? (T) wire : super.getOption(option);
    }

    @Override
    public <T> boolean setOption(ChannelOption<T> option, T value) {
        validate(option, value);
        if (SO_SNDBUF.equals(option)) {
            sizes.send((Integer) value);
        } else if (SO_KEEPALIVE.equals(option)) {
            keepAlive = (Boolean) value;
        } else if (WIRE.equals(option)) {
            wire = (RdmaWire) value;
        } else {
            return super.setOption(option, value);
        }
        return true;
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
}
