// SPDX-License-Identifier: Apache-2.0

/** A model of the kernel's connection manager for tests, without a device, a kernel module or privilege. */
module io.github.rdma4j.testkit.model {
    requires transitive io.github.rdma4j.cm;
    requires transitive io.github.rdma4j.testkit;
    requires static org.jspecify;

    exports io.github.rdma4j.testkit.model;
}
