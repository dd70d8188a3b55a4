// SPDX-License-Identifier: Apache-2.0

/** Channels of Netty 4.1 and 4.2 over RDMA. */
module io.github.rdma4j.netty.transport {
    requires transitive io.netty.transport;
    requires io.github.rdma4j.netty;
    requires io.github.rdma4j.rsocket;
    requires io.netty.buffer;
    requires io.netty.common;
    requires static org.jspecify;

    exports io.github.rdma4j.netty.transport;
}
