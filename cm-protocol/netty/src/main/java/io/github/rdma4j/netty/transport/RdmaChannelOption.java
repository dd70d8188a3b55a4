// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.netty.channel.ChannelOption;

/**
 * Options of {@link RdmaSocketChannel} and {@link RdmaServerSocketChannel} beside those of sockets.
 *
 * @param <T> the type of the value
 */
public final class RdmaChannelOption<T> extends ChannelOption<T> {
    /** The protocol of the connection, when a channel connects or accepts; {@link RdmaWire#ANY} by default. */
    public static final ChannelOption<RdmaWire> WIRE = valueOf(RdmaChannelOption.class, "WIRE");

    @SuppressWarnings({"unused", "deprecation"}) // the instances come from valueOf
    private RdmaChannelOption() {
        super(null);
    }
}
