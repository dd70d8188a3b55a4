// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.bench.suite;

/** One of the two that are compared. */
enum Side {
    C,
    JAVA
}
