// SPDX-License-Identifier: Apache-2.0
/** Guests of any kind, from the kernel in the cache to the end of the command. */
@NullMarked
package io.github.rdma4j.testbed.vm;

import org.jspecify.annotations.NullMarked;
