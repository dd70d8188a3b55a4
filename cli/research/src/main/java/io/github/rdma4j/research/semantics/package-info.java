// SPDX-License-Identifier: Apache-2.0
/**
 * A study of the kernel's connection manager: {@code ./rdma4j semantics} records its behaviour, shows the records and
 * compares kernels. {@code docs/cm-semantics.md} and the pages in {@code docs/cm-semantics} are generated from the
 * recorded tables. Tests compare {@link io.github.rdma4j.internal.cm.CmStateMachine} with the tables.
 */
@NullMarked
package io.github.rdma4j.research.semantics;

import org.jspecify.annotations.NullMarked;
