// SPDX-License-Identifier: Apache-2.0
/** The rings and replies of the rxe driver, software RoCE v2: uapi {@code rdma/rdma_user_rxe.h}, driver ABI 2. */
@NullMarked
package io.github.rdma4j.internal.rxe;

import org.jspecify.annotations.NullMarked;
