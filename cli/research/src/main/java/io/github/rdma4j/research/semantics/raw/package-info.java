// SPDX-License-Identifier: Apache-2.0
/** The commands and events of {@code /dev/infiniband/rdma_cm}, without the logic of the library. */
@NullMarked
package io.github.rdma4j.research.semantics.raw;

import org.jspecify.annotations.NullMarked;
