// SPDX-License-Identifier: Apache-2.0
/**
 * Verbs: device context, protection domain, memory region, completion channel and queue, queue pair, shared receive
 * queue, address handle, and the work requests and completions that pass through them. The names and meanings are those
 * of the InfiniBand Architecture Specification, chapter 11, and of the {@code ibv_*} manual pages.
 *
 * <p>Every object is closed by whoever made it; closing one first closes, in reverse order of creation, what depends on
 * it. All objects may be used by several threads.
 *
 * <p>An enum here is a C enum of {@code infiniband/verbs.h}; {@code code()} is the number of C. A kernel newer than this
 * library may send a number that the library has no name for: then the enum is {@code UNKNOWN}, which no library call
 * accepts as an argument, and the accessor whose name begins with {@code raw} returns the number, for example {@link
 * io.github.rdma4j.verbs.attr.QpAttr#rawState()} beside {@link io.github.rdma4j.verbs.attr.QpAttr#state()}. The other packages of
 * rdma4j do the same.
 */
@NullMarked
package io.github.rdma4j.verbs;

import org.jspecify.annotations.NullMarked;
