// SPDX-License-Identifier: Apache-2.0
/**
 * The control path of an open uverbs device: one method a verb, sent as {@code RDMA_VERBS_IOCTL} where the kernel has
 * it (uapi {@code rdma/rdma_user_ioctl_cmds.h}) and by write(2) where it has not (uapi {@code rdma/ib_user_verbs.h}).
 */
@NullMarked
package io.github.rdma4j.internal.ioctl;

import org.jspecify.annotations.NullMarked;
