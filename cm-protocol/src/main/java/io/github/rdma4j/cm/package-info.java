// SPDX-License-Identifier: Apache-2.0
/**
 * The RDMA connection manager ({@code rdma_cm(7)}): event channels, CM ids and the events between them, over {@code
 * /dev/infiniband/rdma_cm} (uapi {@code rdma/rdma_user_cm.h}, ABI 4). The names are those of the manual pages; what a
 * CM id may do when is a table, {@link CmStateMachine}, that code, tests and documentation share.
 */
@NullMarked
package io.github.rdma4j.cm;

import org.jspecify.annotations.NullMarked;
