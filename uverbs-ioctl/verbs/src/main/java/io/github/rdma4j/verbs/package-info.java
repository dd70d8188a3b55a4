// SPDX-License-Identifier: Apache-2.0
/**
 * Verbs: device context, protection domain, memory region, completion channel and queue, queue pair, shared receive
 * queue, address handle, and their work requests and completions. Names and meanings follow chapter 11 of the
 * InfiniBand Architecture Specification and the {@code ibv_*} manual pages.
 *
 * <p>The creator of an object must close it. Closing an object first closes the objects that depend on it, in reverse
 * order of creation. All objects may be used by several threads.
 *
 * <p>An enum in this package is a C enum of {@code infiniband/verbs.h}; {@code code()} returns the C number. A kernel
 * newer than this library may send a number for which the library has no name. The enum is then {@code UNKNOWN}, which
 * no library call accepts as an argument. The accessor whose name begins with {@code raw} returns the number, for
 * example {@link io.github.rdma4j.verbs.attr.QpAttr#rawState()} beside
 * {@link io.github.rdma4j.verbs.attr.QpAttr#state()}. The same holds for the other packages of rdma4j.
 */
@NullMarked
package io.github.rdma4j.verbs;

import org.jspecify.annotations.NullMarked;
