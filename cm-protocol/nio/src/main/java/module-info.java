// SPDX-License-Identifier: Apache-2.0

/**
 * A provider of the channels and selectors of {@code java.nio.channels}, and plain sockets, over RDMA and over TCP.
 *
 * <p>The packages {@code io.github.rdma4j.internal.*} are exported to the other modules of rdma4j only.
 */
module io.github.rdma4j.nio {
    requires io.github.rdma4j.rsocket;
    requires static java.instrument;
    requires static org.jspecify;

    exports io.github.rdma4j.nio;
}
