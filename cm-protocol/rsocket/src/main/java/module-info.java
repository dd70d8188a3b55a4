// SPDX-License-Identifier: Apache-2.0

/**
 * Streams of bytes over RDMA, compatible with rsockets of librdmacm.
 *
 * <p>The packages {@code io.github.rdma4j.internal.*} are exported to the other modules of rdma4j only.
 */
// The modules that internal packages are exported to are compiled later.
@SuppressWarnings("module")
module io.github.rdma4j.rsocket {
    requires transitive io.github.rdma4j.cm;

    // Optional: without it, nobody sees the connections.
    requires static java.management;
    requires static org.jspecify;

    exports io.github.rdma4j.rsocket;
    exports io.github.rdma4j.rsocket.management;
    exports io.github.rdma4j.internal.rsocket to
            io.github.rdma4j.netty.transport,
            io.github.rdma4j.nio;
    exports io.github.rdma4j.internal.rsocket.connections to
            io.github.rdma4j.netty.transport,
            io.github.rdma4j.nio;
    exports io.github.rdma4j.internal.rsocket.wire to
            io.github.rdma4j.netty.transport;
}
