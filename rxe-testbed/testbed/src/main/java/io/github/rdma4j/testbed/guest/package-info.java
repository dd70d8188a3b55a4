// SPDX-License-Identifier: Apache-2.0
/** Guests of any kind, from the kernel to the end of the command: streams, signals, results and failures. */
@NullMarked
package io.github.rdma4j.testbed.guest;

import org.jspecify.annotations.NullMarked;
