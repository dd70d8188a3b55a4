// SPDX-License-Identifier: Apache-2.0
/**
 * The structs, attribute ids and constants of uapi {@code rdma/ib_user_verbs.h}, {@code rdma/ib_user_ioctl_cmds.h},
 * {@code rdma/ib_user_ioctl_verbs.h} and {@code rdma/rdma_user_ioctl_cmds.h}. Layouts and encoding only: no call is
 * made here. All integers are in the byte order of the machine unless a name ends in Be.
 */
@NullMarked
package io.github.rdma4j.internal.uverbs;

import org.jspecify.annotations.NullMarked;
