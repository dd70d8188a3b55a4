// SPDX-License-Identifier: Apache-2.0

/**
 * Verbs: devices, protection domains, memory regions, queue pairs and completion queues over {@code
 * /dev/infiniband/uverbs*}.
 *
 * <p>The packages {@code io.github.rdma4j.internal.*} are exported to the other modules of rdma4j only.
 */
// The modules that internal packages are exported to are compiled later.
@SuppressWarnings("module")
module io.github.rdma4j.uverbs {
    requires transitive io.github.rdma4j.kernel;

    // Optional: without it, nothing is recorded.
    requires static jdk.jfr;
    requires static org.jspecify;

    exports io.github.rdma4j.verbs;
    exports io.github.rdma4j.verbs.attr;
    exports io.github.rdma4j.verbs.dispatch;
    exports io.github.rdma4j.internal.discovery to
            io.github.rdma4j.cm,
            io.github.rdma4j.cli,
            io.github.rdma4j.testkit.model;
    exports io.github.rdma4j.internal.flight to
            io.github.rdma4j.cm,
            io.github.rdma4j.rsocket,
            io.github.rdma4j.nio;
    exports io.github.rdma4j.internal.provider to
            io.github.rdma4j.cards;
    exports io.github.rdma4j.internal.sysfs to
            io.github.rdma4j.cm,
            io.github.rdma4j.sm,
            io.github.rdma4j.cli,
            io.github.rdma4j.testkit.model;
    exports io.github.rdma4j.internal.uverbs to
            io.github.rdma4j.cards,
            io.github.rdma4j.cm,
            io.github.rdma4j.sm,
            io.github.rdma4j.cli,
            io.github.rdma4j.testkit.model;
    exports io.github.rdma4j.internal.verbs to
            io.github.rdma4j.disni,
            io.github.rdma4j.netty;

    uses io.github.rdma4j.internal.provider.Provider;

    provides io.github.rdma4j.internal.provider.Provider with
            io.github.rdma4j.internal.rxe.RxeProvider,
            io.github.rdma4j.internal.siw.SiwProvider;
}
