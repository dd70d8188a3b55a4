// SPDX-License-Identifier: Apache-2.0
/**
 * What a call costs in user space: soft-RoCE's rings and the connection manager's commands in Java and in C, over one kernel
 * that is a library in C and answers at once.
 */
@NullMarked
package io.github.rdma4j.bench.cost;

import org.jspecify.annotations.NullMarked;
