// SPDX-License-Identifier: Apache-2.0

/** Guest kernels with soft-RoCE on any machine: {@code io.github.rdma4j.testbed.Testbed}, and a program. */
// The module that packages are exported to is compiled later.
@SuppressWarnings("module")
module io.github.rdma4j.testbed {
    requires static org.jspecify;

    exports io.github.rdma4j.testbed;
    exports io.github.rdma4j.testbed.image to
            io.github.rdma4j.cli;
}
