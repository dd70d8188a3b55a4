// SPDX-License-Identifier: Apache-2.0
/** The commands and events of {@code /dev/infiniband/rdma_cm} with nothing of the library's logic in between. */
@NullMarked
package io.github.rdma4j.semantics.raw;

import org.jspecify.annotations.NullMarked;
