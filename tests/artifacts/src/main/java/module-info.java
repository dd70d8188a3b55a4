// SPDX-License-Identifier: Apache-2.0

/** A program of a user who has modules: what it needs is exported to everybody. */
module io.github.rdma4j.modular {
    requires io.github.rdma4j.cm;
    requires io.github.rdma4j.sm;
    requires static org.jspecify;
}
