// SPDX-License-Identifier: Apache-2.0
/** The guest that a recording runs in: its soft-RoCE device, its programs, and waiting for what happens there. */
@NullMarked
package io.github.rdma4j.semantics.guest;

import org.jspecify.annotations.NullMarked;
