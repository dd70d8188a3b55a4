// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** Options of a send, a bit mask. */
@KernelConstants("infiniband/verbs.h")
public final class SendFlags {
    public static final int IBV_SEND_FENCE = 1;
    public static final int IBV_SEND_SIGNALED = 2;
    public static final int IBV_SEND_SOLICITED = 4;
    public static final int IBV_SEND_INLINE = 8;
    public static final int IBV_SEND_IP_CSUM = 16;

    private SendFlags() {}
}
