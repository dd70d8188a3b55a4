// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.abi;

import io.github.rdma4j.kernel.abi.KernelStruct;

/**
 * The layout of the payload of {@code NLMSG_ERROR}.
 *
 * <pre>{@code
 * struct nlmsgerr {         // uapi/linux/netlink.h
 *     int error;            //  0  0 or a negative errno
 *     struct nlmsghdr msg;  //  4  header of the request
 * };                        // 20
 * }</pre>
 */
@KernelStruct(value = "struct nlmsgerr", header = "linux/netlink.h")
public final class NetlinkErrorHeader {
    public static final int ERROR = 0;
    public static final int MSG = 4;
    public static final int BYTES = 20;

    private NetlinkErrorHeader() {}
}
