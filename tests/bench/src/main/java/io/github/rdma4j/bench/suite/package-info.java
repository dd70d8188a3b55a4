// SPDX-License-Identifier: Apache-2.0
/**
 * {@code rdma4j bench}: the suite. Each bench runs a program in C and its counterpart in Java in turns, in one guest;
 * what a guest has measured comes back in a file, and the reports are made of that.
 */
@NullMarked
package io.github.rdma4j.bench.suite;

import org.jspecify.annotations.NullMarked;
