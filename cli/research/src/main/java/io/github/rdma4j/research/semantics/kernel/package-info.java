// SPDX-License-Identifier: Apache-2.0
/** The kernel of a guest without the library's logic: its RDMA device, its programs, and commands and events. */
@NullMarked
package io.github.rdma4j.research.semantics.kernel;

import org.jspecify.annotations.NullMarked;
