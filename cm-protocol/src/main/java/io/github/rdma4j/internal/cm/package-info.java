// SPDX-License-Identifier: Apache-2.0
/** The character device of the connection manager, and the commands that each state of an id allows. */
@NullMarked
package io.github.rdma4j.internal.cm;

import org.jspecify.annotations.NullMarked;
