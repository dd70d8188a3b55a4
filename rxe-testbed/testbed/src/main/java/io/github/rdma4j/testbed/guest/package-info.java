// SPDX-License-Identifier: Apache-2.0
/** A session in a running guest: the command, its streams and signals, the result, and how a guest fails. */
@NullMarked
package io.github.rdma4j.testbed.guest;

import org.jspecify.annotations.NullMarked;
