// SPDX-License-Identifier: Apache-2.0
/**
 * The RDMA connection manager ({@code rdma_cm(7)}): event channels, CM ids and the events between them, over {@code
 * /dev/infiniband/rdma_cm} (uapi {@code rdma/rdma_user_cm.h}, ABI 4). The names are those of the manual pages; a table
 * of the library says which commands each {@link CmState} of a CM id allows.
 */
@NullMarked
package io.github.rdma4j.cm;

import org.jspecify.annotations.NullMarked;
