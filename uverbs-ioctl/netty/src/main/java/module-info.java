// SPDX-License-Identifier: Apache-2.0

/** Netty buffers in registered memory and in work requests. */
module io.github.rdma4j.netty {
    requires transitive io.github.rdma4j.uverbs;
    requires transitive io.netty.buffer;
    requires io.netty.common;
    requires static org.jspecify;

    exports io.github.rdma4j.netty;
}
