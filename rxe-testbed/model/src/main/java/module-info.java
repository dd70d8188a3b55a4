// SPDX-License-Identifier: Apache-2.0

/** A model of the kernel's connection manager for tests that need no device, kernel module or privileges. */
module io.github.rdma4j.testkit.model {
    requires transitive io.github.rdma4j.cm;
    requires transitive io.github.rdma4j.testkit;
    requires static org.jspecify;

    exports io.github.rdma4j.testkit.model;
}
