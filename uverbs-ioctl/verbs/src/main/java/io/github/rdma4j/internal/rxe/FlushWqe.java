// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * What a slot of a send queue says of a flush; the rest is {@link SendWqe}.
 *
 * <pre>{@code
 * struct rxe_send_wqe {                        // uapi/rdma/rdma_user_rxe.h
 *     __aligned_u64 wr.wr.flush.remote_addr;   //  24
 *     __u32 wr.wr.flush.length;                //  32
 *     __u32 wr.wr.flush.rkey;                  //  36
 *     __u8 wr.wr.flush.type;                   //  40  IB_UVERBS_FLUSH_*
 *     __u8 wr.wr.flush.level;                  //  41
 * };                                           // 208
 * }</pre>
 */
@KernelStruct(value = "struct rxe_send_wqe", header = "rdma/rdma_user_rxe.h", since = "6.3")
final class FlushWqe {
    @CName("wr.wr.flush.remote_addr")
    static final int REMOTE_ADDR = 24;

    @CName("wr.wr.flush.length")
    static final int LENGTH = 32;

    @CName("wr.wr.flush.rkey")
    static final int RKEY = 36;

    @CName("wr.wr.flush.type")
    static final int TYPE = 40;

    @CName("wr.wr.flush.level")
    static final int LEVEL = 41;

    static final int BYTES = 208;

    private FlushWqe() {}
}
