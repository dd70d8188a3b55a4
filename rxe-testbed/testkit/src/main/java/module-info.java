// SPDX-License-Identifier: Apache-2.0

/** A scripted kernel for tests: expects an exact sequence of system calls, and answers each call. */
// The module that a package is exported to is compiled later.
@SuppressWarnings("module")
module io.github.rdma4j.testkit {
    requires transitive io.github.rdma4j.kernel;
    requires static org.jspecify;

    exports io.github.rdma4j.testkit;
    exports io.github.rdma4j.internal.testkit to
            io.github.rdma4j.testkit.model;
}
