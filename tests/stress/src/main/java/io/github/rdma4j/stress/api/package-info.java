// SPDX-License-Identifier: Apache-2.0
/** Random calls of all public methods by several threads: {@code ./rdma4j stress api}. */
@NullMarked
package io.github.rdma4j.stress.api;

import org.jspecify.annotations.NullMarked;
