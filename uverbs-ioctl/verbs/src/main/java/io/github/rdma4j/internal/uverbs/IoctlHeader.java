// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the header of {@code RDMA_VERBS_IOCTL}, which {@code num_attrs} {@link IoctlAttr}s follow.
 *
 * <pre>{@code
 * struct ib_uverbs_ioctl_hdr {        // uapi/rdma/rdma_user_ioctl_cmds.h
 *     __u16 length;                   //  0  24 + 16 * num_attrs
 *     __u16 object_id;                //  2  UVERBS_OBJECT_*
 *     __u16 method_id;                //  4  UVERBS_METHOD_*
 *     __u16 num_attrs;                //  6
 *     __aligned_u64 reserved1;        //  8  must be zero
 *     __u32 driver_id;                // 16  RDMA_DRIVER_*, must be that of the device
 *     __u32 reserved2;                // 20  must be zero
 *     struct ib_uverbs_attr attrs[];  // 24
 * };                                  // 24
 * }</pre>
 */
@KernelStruct(value = "struct ib_uverbs_ioctl_hdr", header = "rdma/rdma_user_ioctl_cmds.h")
public final class IoctlHeader {
    public static final int LENGTH = 0;
    public static final int OBJECT_ID = 2;
    public static final int METHOD_ID = 4;
    public static final int NUM_ATTRS = 6;
    public static final int RESERVED1 = 8;
    public static final int DRIVER_ID = 16;
    public static final int RESERVED2 = 20;
    public static final int ATTRS = 24;
    public static final int BYTES = 24;

    private IoctlHeader() {}
}
