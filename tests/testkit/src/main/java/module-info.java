// SPDX-License-Identifier: Apache-2.0

/** Kernels for the tests of programs that use rdma4j: no RDMA device, kernel module or privilege needed. */
module io.github.rdma4j.testkit {
    requires transitive io.github.rdma4j.cm;
    requires static org.jspecify;

    exports io.github.rdma4j.testkit;
}
