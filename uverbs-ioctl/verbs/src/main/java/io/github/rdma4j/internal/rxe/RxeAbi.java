// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.KernelStruct;

/** The parts of requests and replies that belong to the driver. */
final class RxeAbi {
    private RxeAbi() {}

    /**
     * The arguments of mmap(2) for a ring; a ring can be mapped once.
     *
     * <pre>{@code
     * struct mminfo {            // uapi/rdma/rdma_user_rxe.h
     *     __aligned_u64 offset;  //  0  bytes, the offset argument of mmap
     *     __u32 size;            //  8  bytes
     *     __u32 pad;             // 12
     * };                         // 16
     * }</pre>
     */
    @KernelStruct(value = "struct mminfo", header = "rdma/rdma_user_rxe.h")
    static final class MinfoLayout {
        static final int OFFSET = 0;
        static final int SIZE = 8;
        static final int PAD = 12;
        static final int BYTES = 16;

        private MinfoLayout() {}
    }

    /**
     * The layout of the driver's part of the reply that created a completion queue.
     *
     * <pre>{@code
     * struct rxe_create_cq_resp {  // uapi/rdma/rdma_user_rxe.h
     *     struct mminfo mi;        //  0
     * };                           // 16
     * }</pre>
     */
    @KernelStruct(value = "struct rxe_create_cq_resp", header = "rdma/rdma_user_rxe.h")
    static final class CreateCqResp {
        static final int MI = 0;
        static final int BYTES = 16;

        private CreateCqResp() {}
    }

    /**
     * The layout of the driver's part of the reply that created a queue pair.
     *
     * <pre>{@code
     * struct rxe_create_qp_resp {  // uapi/rdma/rdma_user_rxe.h
     *     struct mminfo rq_mi;     //  0
     *     struct mminfo sq_mi;     // 16
     * };                           // 32
     * }</pre>
     */
    @KernelStruct(value = "struct rxe_create_qp_resp", header = "rdma/rdma_user_rxe.h")
    static final class CreateQpResp {
        static final int RQ_MI = 0;
        static final int SQ_MI = 16;
        static final int BYTES = 32;

        private CreateQpResp() {}
    }

    /**
     * The layout of the driver's part of the reply that created a shared receive queue.
     *
     * <pre>{@code
     * struct rxe_create_srq_resp {  // uapi/rdma/rdma_user_rxe.h
     *     struct mminfo mi;         //  0
     *     __u32 srq_num;            // 16
     *     __u32 reserved;           // 20
     * };                            // 24
     * }</pre>
     */
    @KernelStruct(value = "struct rxe_create_srq_resp", header = "rdma/rdma_user_rxe.h")
    static final class CreateSrqResp {
        static final int MI = 0;
        static final int SRQ_NUM = 16;
        static final int RESERVED = 20;
        static final int BYTES = 24;

        private CreateSrqResp() {}
    }

    /**
     * The layout of the driver's part of the command that changes a shared receive queue. The kernel checks and uses
     * the address only if the queue is resized.
     *
     * <pre>{@code
     * struct rxe_modify_srq_cmd {        // uapi/rdma/rdma_user_rxe.h
     *     __aligned_u64 mmap_info_addr;  // 0  struct mminfo of the new ring
     * };                                 // 8
     * }</pre>
     */
    @KernelStruct(value = "struct rxe_modify_srq_cmd", header = "rdma/rdma_user_rxe.h")
    static final class ModifySrqCmd {
        static final int MMAP_INFO_ADDR = 0;
        static final int BYTES = 8;

        private ModifySrqCmd() {}
    }

    /**
     * The layout of the driver's part of the reply that created an address handle.
     *
     * <pre>{@code
     * struct rxe_create_ah_resp {  // uapi/rdma/rdma_user_rxe.h
     *     __u32 ah_num;            // 0  never 0; drivers before Linux 5.15 add nothing
     *     __u32 reserved;          // 4
     * };                           // 8
     * }</pre>
     */
    @KernelStruct(value = "struct rxe_create_ah_resp", header = "rdma/rdma_user_rxe.h")
    static final class CreateAhResp {
        static final int AH_NUM = 0;
        static final int RESERVED = 4;
        static final int BYTES = 8;

        private CreateAhResp() {}
    }
}
