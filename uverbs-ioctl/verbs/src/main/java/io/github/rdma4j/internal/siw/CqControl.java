// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of the word that arms a completion queue, behind the last element.
 *
 * <pre>{@code
 * struct siw_cq_ctrl {  // uapi/rdma/siw-abi.h
 *     __u32 flags;      // 0  SIW_NOTIFY_*
 *     __u32 pad;        // 4
 * };                    // 8
 * }</pre>
 */
@KernelStruct(value = "struct siw_cq_ctrl", header = "rdma/siw-abi.h")
final class CqControl {
    static final int FLAGS = 0;
    static final int PAD = 4;
    static final int BYTES = 8;

    private CqControl() {}
}
