// SPDX-License-Identifier: Apache-2.0
/** Finds the character device of the connection manager. */
@NullMarked
package io.github.rdma4j.internal.cm;

import org.jspecify.annotations.NullMarked;
