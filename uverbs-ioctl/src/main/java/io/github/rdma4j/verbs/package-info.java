// SPDX-License-Identifier: Apache-2.0
/**
 * Verbs: device context, protection domain, memory region, completion channel and queue, queue pair, shared receive
 * queue, address handle, and the work requests and completions that pass through them. The names and meanings are those
 * of the InfiniBand Architecture Specification, chapter 11, and of the {@code ibv_*} manual pages.
 *
 * <p>Every object is closed by whoever made it; closing one first closes, in reverse order of creation, what depends on
 * it. All objects may be used by several threads.
 */
@NullMarked
package io.github.rdma4j.verbs;

import org.jspecify.annotations.NullMarked;
