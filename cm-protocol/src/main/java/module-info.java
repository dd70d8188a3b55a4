// SPDX-License-Identifier: Apache-2.0

/**
 * The RDMA connection manager over {@code /dev/infiniband/rdma_cm}.
 *
 * <p>The packages {@code io.github.rdma4j.internal.*} are exported to the other modules of rdma4j only.
 */
// The modules that internal packages are exported to are compiled later.
@SuppressWarnings("module")
module io.github.rdma4j.cm {
    requires transitive io.github.rdma4j.uverbs;
    requires static org.jspecify;

    exports io.github.rdma4j.cm;
    exports io.github.rdma4j.cm.loop;
    exports io.github.rdma4j.internal.cm to
            io.github.rdma4j.cli,
            io.github.rdma4j.netty.transport,
            io.github.rdma4j.rsocket,
            io.github.rdma4j.testkit.model;
    exports io.github.rdma4j.internal.ucm to
            io.github.rdma4j.cli,
            io.github.rdma4j.testkit.model;
}
