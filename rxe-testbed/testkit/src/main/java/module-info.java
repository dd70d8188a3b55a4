// SPDX-License-Identifier: Apache-2.0

/** A scripted kernel for tests: it expects an exact sequence of system calls, and answers each. */
module io.github.rdma4j.testkit {
    requires transitive io.github.rdma4j.kernel;
    requires static org.jspecify;

    exports io.github.rdma4j.testkit;
}
