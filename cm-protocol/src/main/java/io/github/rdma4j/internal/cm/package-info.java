// SPDX-License-Identifier: Apache-2.0
/** Where the character device of the connection manager is. */
@NullMarked
package io.github.rdma4j.internal.cm;

import org.jspecify.annotations.NullMarked;
