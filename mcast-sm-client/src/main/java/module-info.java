// SPDX-License-Identifier: Apache-2.0

/**
 * Subnet administration over {@code /dev/infiniband/umad*}: paths, services and multicast groups of InfiniBand fabrics.
 */
module io.github.rdma4j.sm {
    requires transitive io.github.rdma4j.uverbs;
    requires static org.jspecify;

    exports io.github.rdma4j.sm;
    exports io.github.rdma4j.sm.mad;
    exports io.github.rdma4j.umad;
}
