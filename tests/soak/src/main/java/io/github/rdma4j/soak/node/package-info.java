// SPDX-License-Identifier: Apache-2.0
/** The machines of a run: a guest, or two. */
@NullMarked
package io.github.rdma4j.soak.node;

import org.jspecify.annotations.NullMarked;
