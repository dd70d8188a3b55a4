// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of a ring that the kernel shares with us.
 *
 * <p>Both indexes are stored masked; one slot always stays free.
 *
 * <pre>{@code
 * struct rxe_queue_buf {     // uapi/rdma/rdma_user_rxe.h
 *     __u32 log2_elem_size;  //   0  constant after creation
 *     __u32 index_mask;      //   4  slots - 1, constant after creation
 *     __u32 pad_1[30];       //   8
 *     __u32 producer_index;  // 128  written by the kernel for completion queues, else by us
 *     __u32 pad_2[31];       // 132
 *     __u32 consumer_index;  // 256  written by us for completion queues, else by the kernel
 *     __u32 pad_3[31];       // 260
 *     __u8 data[];           // 384  slot i is at 384 + (i << log2_elem_size)
 * };                         // 384
 * }</pre>
 */
@KernelStruct(value = "struct rxe_queue_buf", header = "rdma/rdma_user_rxe.h")
final class QueueBuf {
    static final int LOG2_ELEM_SIZE = 0;
    static final int INDEX_MASK = 4;
    static final int PAD_1 = 8;
    static final int PRODUCER_INDEX = 128;
    static final int PAD_2 = 132;
    static final int CONSUMER_INDEX = 256;
    static final int PAD_3 = 260;
    static final int DATA = 384;
    static final int BYTES = 384;

    private QueueBuf() {}
}
