// SPDX-License-Identifier: Apache-2.0
/**
 * The RDMA connection manager ({@code rdma_cm(7)}): event channels, CM ids and their events, over
 * {@code /dev/infiniband/rdma_cm} (uapi {@code rdma/rdma_user_cm.h}, ABI 4). Names follow the manual pages. The
 * {@link CmState} of a CM id determines which commands the id allows.
 */
@NullMarked
package io.github.rdma4j.cm;

import org.jspecify.annotations.NullMarked;
