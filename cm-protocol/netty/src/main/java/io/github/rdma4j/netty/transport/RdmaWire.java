// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

/** The protocols of connections, for {@link RdmaChannelOption#WIRE}. */
public enum RdmaWire {
    /**
     * Both. A listening channel accepts both. A channel that connects asks for the native wire; if that is rejected, it asks
     * for rsocket's, which takes a second attempt.
     */
    ANY,

    /** The protocol between channels of rdma4j, with messages in registered buffers. Other peers reject it. */
    NATIVE,

    /**
     * The protocol of {@code rsocket(7)}: with C programs, {@link io.github.rdma4j.rsocket.RsocketChannel}, and the provider
     * of {@code rdma4j-nio}.
     */
    RSOCKET
}
