// SPDX-License-Identifier: Apache-2.0
/**
 * The control path of an open uverbs device: one method for each verb, sent as {@code RDMA_VERBS_IOCTL} (uapi
 * {@code rdma/rdma_user_ioctl_cmds.h}).
 */
@NullMarked
package io.github.rdma4j.internal.ioctl;

import org.jspecify.annotations.NullMarked;
