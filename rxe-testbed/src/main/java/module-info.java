// SPDX-License-Identifier: Apache-2.0

/** A guest kernel with soft-RoCE on any machine: a program, {@code io.github.rdma4j.testbed.TestbedMain}, without an API. */
// The module that packages are exported to is compiled later.
@SuppressWarnings("module")
module io.github.rdma4j.testbed {
    requires static org.jspecify;

    exports io.github.rdma4j.testbed to
            io.github.rdma4j.cli;
    exports io.github.rdma4j.testbed.image to
            io.github.rdma4j.cli;
}
