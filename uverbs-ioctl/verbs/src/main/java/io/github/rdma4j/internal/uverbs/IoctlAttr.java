// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of an attribute of {@code RDMA_VERBS_IOCTL}.
 *
 * <pre>{@code
 * struct ib_uverbs_attr {                // uapi/rdma/rdma_user_ioctl_cmds.h
 *     __u16 attr_id;                     //  0  UVERBS_ATTR_*
 *     __u16 len;                         //  2  bytes; 0 for objects and files
 *     __u16 flags;                       //  4  UVERBS_ATTR_F_*
 *     union attr_data;                   //  6  __u16 reserved, zero
 *     __u8 attr_data.enum_data.elem_id;  //  6  of an enumerated attribute
 *     __aligned_u64 data;                //  8  value up to 8 bytes, else address; handle; file descriptor
 *     __s64 data_s64;                    //  8  the same 8 bytes
 * };                                     // 16
 * }</pre>
 */
@KernelStruct(value = "struct ib_uverbs_attr", header = "rdma/rdma_user_ioctl_cmds.h")
public final class IoctlAttr {
    public static final int ATTR_ID = 0;
    public static final int LEN = 2;
    public static final int FLAGS = 4;
    public static final int ATTR_DATA = 6;

    @CName("attr_data.enum_data.elem_id")
    public static final int ENUM_ELEM_ID = 6;

    public static final int DATA = 8;
    public static final int DATA_S64 = 8;
    public static final int BYTES = 16;

    private IoctlAttr() {}
}
