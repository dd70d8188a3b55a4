// SPDX-License-Identifier: Apache-2.0
/** Where the character device of the connection manager is, and which commands the state of an id allows. */
@NullMarked
package io.github.rdma4j.internal.cm;

import org.jspecify.annotations.NullMarked;
