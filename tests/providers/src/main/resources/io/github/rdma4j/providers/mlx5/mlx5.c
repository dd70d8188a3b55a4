// SPDX-License-Identifier: Apache-2.0
//
// ConnectX and BlueField: the driver's part of the kernel, and what libmlx5 writes for the device.
#include "driver.h"
#include "text.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <linux/types.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NC_PAGE_ID = 0x20, UNIT = 16, BLOCK = 64, WQE = 1024 };

static const uint8_t PEER_MAC[6] = {0x02, 0x11, 0x22, 0x33, 0x44, 0x55};

static int infiniband, cqe_version;

// ---- the kernel ------------------------------------------------------------------------------------------------------

void driver_start(char **arguments) {
    infiniband = strcmp(arguments[0], "roce");
    cqe_version = atoi(arguments[1]);
    setenv("MLX5_SHUT_UP_BF", "1", 1);
    setenv("MLX5_SCATTER_TO_CQE", "0", 1);
}

int driver_is_infiniband(void) {
    return infiniband;
}

int driver_get_context(struct ib_uverbs_ioctl_hdr *call, const void *request, int bytes) {
    struct mlx5_ib_alloc_ucontext_req_v2 asked;
    if (bytes != sizeof asked) {
        return EINVAL;
    }
    memcpy(&asked, request, sizeof asked);
    if (asked.flags & MLX5_IB_ALLOC_UCTX_DEVX) {
        return EPERM;
    }
    struct mlx5_ib_alloc_ucontext_resp reply = {
        .qp_tab_size = 1 << 24,
        .bf_reg_size = 512,
        .cache_line_size = 64,
        .max_sq_desc_sz = 1024,
        .max_rq_desc_sz = 512,
        .max_send_wqebb = 1 << 15,
        .max_recv_wr = 1 << 15,
        .max_srq_recv_wr = 1 << 15,
        .num_ports = 1,
        .cqe_version = cqe_version,
        .cmds_supp_uhw = MLX5_USER_CMDS_SUPP_UHW_CREATE_AH | MLX5_USER_CMDS_SUPP_UHW_QUERY_DEVICE,
        .log_uar_size = 12,
        .num_uars_per_page = 1,
        .response_length = sizeof reply,
    };
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
    return 0;
}

void driver_query_device(struct ib_uverbs_ioctl_hdr *call) {
    struct mlx5_ib_query_device_resp reply = {.response_length = sizeof reply};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

void driver_alloc_pd(struct ib_uverbs_ioctl_hdr *call) {
    struct mlx5_ib_alloc_pd_resp reply = {9};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

void driver_create_ah(struct ib_uverbs_ioctl_hdr *call) {
    struct mlx5_ib_create_ah_resp reply = {.response_length = offsetof(struct mlx5_ib_create_ah_resp, reserved)};
    memcpy(reply.dmac, PEER_MAC, sizeof PEER_MAC);
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, reply.response_length);
}

// Each request begins with the two addresses.
static void take_addresses(struct queue *made) {
    memcpy(&made->ring, made->request, sizeof made->ring);
    memcpy(&made->record, made->request + sizeof made->ring, sizeof made->record);
}

void driver_create_cq(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {
    take_addresses(made);
    struct mlx5_ib_create_cq_resp reply = {made->number};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply.cqn);
}

void driver_create_qp(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {
    take_addresses(made);
    struct mlx5_ib_create_qp_resp reply = {.bfreg_index = 1u << 31};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

void driver_create_srq(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {
    take_addresses(made);
    struct mlx5_ib_create_srq_resp reply = {made->number};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

static int alloc_uar(struct ib_uverbs_ioctl_hdr *call) {
    static uint32_t allocated;
    uint32_t page_id = NC_PAGE_ID + allocated;
    uint64_t offset = (uint64_t)((9 << 8) + allocated++) * PAGE;
    uint32_t length = PAGE;
    kernel_created(call, MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE);
    kernel_output(call, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET, &offset, sizeof offset);
    kernel_output(call, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH, &length, sizeof length);
    kernel_output(call, MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID, &page_id, sizeof page_id);
    return 0;
}

int driver_method(struct ib_uverbs_ioctl_hdr *call) {
    if (call->object_id != MLX5_IB_OBJECT_UAR) {
        return EOPNOTSUPP;
    }
    return call->method_id == MLX5_IB_METHOD_UAR_OBJ_ALLOC ? alloc_uar(call) : 0;
}

// ---- queues ----------------------------------------------------------------------------------------------------------

// Behind the addresses, the number of the doorbell page.
void driver_hide(struct queue *of) {
    memset(of->request, 0, 2 * sizeof(uint64_t));
    if (of->kind == CQ) {
        memset(of->request + 24, 0, 2);
    } else if (of->kind == QP) {
        memset(of->request + 36, 0, 4);
    }
}

void driver_made_cq(struct object *made) {
    made->entries = ((struct ibv_cq *)made->verbs)->cqe + 1;
    printf("  granted %d\n", made->entries - 1);
}

void driver_made_qp(struct object *made, struct ibv_qp_cap cap) {
    int own = made->kernel.request_bytes && !made->srq && made->type != IBV_QPT_XRC_SEND;
    made->blocks = field(&made->kernel, 16);
    made->receives = field(&made->kernel, 20);
    made->shift = field(&made->kernel, 24);
    printf("  granted %u %u %u %u %u\n", cap.max_send_wr, own ? cap.max_recv_wr : 0, cap.max_send_sge,
           own ? cap.max_recv_sge : 0, cap.max_inline_data);
}

void driver_made_srq(struct object *made, unsigned pieces) {
    uint32_t entry = 32;
    for (made->entry_shift = 5; entry < 16 + 16 * pieces; entry <<= 1) {
        made->entry_shift++;
    }
}

void driver_to_rts(struct object *qp) {
    int of_type = qp->type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS;
    to_state(qp->verbs, IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT | of_type);
    to_state(qp->verbs, IBV_QPS_RTR, 0);
    to_state(qp->verbs, IBV_QPS_RTS, 0);
}

// ---- what the device sees --------------------------------------------------------------------------------------------

static uint32_t record(struct object *of, int index) {
    return be32toh(((uint32_t *)of->kernel.record)[index]);
}

void driver_print_record(struct object *of) {
    if (of->kernel.kind == SRQ) {
        printf("  record %x\n", record(of, 0));
    } else {
        printf("  record %x %x\n", record(of, 0), record(of, 1));
    }
}

void driver_print_doorbell(int page, int at, const uint8_t *stored) {
    uint64_t value;
    memcpy(&value, stored, sizeof value);
    printf("  doorbell %x %016llx\n", at, (unsigned long long)be64toh(value));
}

static int data_behind(struct object *qp, int opcode) {
    switch (opcode) {
    case MLX5_OPCODE_SEND:
    case MLX5_OPCODE_SEND_IMM:
        return qp->type == IBV_QPT_UD ? 64 : 16;
    case MLX5_OPCODE_ATOMIC_CS:
    case MLX5_OPCODE_ATOMIC_FA:
        return 48;
    default:
        return 32;
    }
}

// An initiator of XRC has a segment more.
static int data_at(struct object *qp, int opcode) {
    return data_behind(qp, opcode) + (qp->type == IBV_QPT_XRC_SEND ? UNIT : 0);
}

// Prints one work queue element and returns its blocks. What libmlx5 leaves as it was is printed as zeros.
static int print_wqe(struct object *qp, uint32_t block) {
    uint8_t *ring = qp->kernel.ring + (qp->receives << qp->shift);
    uint32_t ring_bytes = qp->blocks * BLOCK, at = block % qp->blocks * BLOCK;
    uint8_t wqe[WQE] = {0};
    int units = ring[at + 7] & 0x3f, length = units * UNIT;
    for (int i = 0; i < length; i++) {
        wqe[i] = ring[(at + i) % ring_bytes];
    }
    int data = data_at(qp, wqe[3]);
    if (wqe[3] == MLX5_OPCODE_ATOMIC_FA) {
        memset(wqe + data - 8, 0, 8);
    }
    if (qp->type == IBV_QPT_XRC_SEND) {
        memset(wqe + 20, 0, 12);
    }
    uint32_t head;
    memcpy(&head, wqe + data, sizeof head);
    if (length > data && be32toh(head) & MLX5_INLINE_SEG) {
        int end = data + 4 + (be32toh(head) & ~MLX5_INLINE_SEG);
        memset(wqe + end, 0, length - end);
    }
    printf("  wqe %u ", block % qp->blocks);
    bytes(wqe, length);
    return (length + BLOCK - 1) / BLOCK;
}

static int segments(const uint8_t *entry, int length) {
    int end = 0;
    while (end < length) {
        uint32_t key;
        memcpy(&key, entry + end + 4, sizeof key);
        end += UNIT;
        if (be32toh(key) == MLX5_INVALID_LKEY) {
            break;
        }
    }
    return end;
}

static void print_entry(const uint8_t *entry, int length, uint32_t index) {
    printf("  entry %u ", index);
    bytes(entry, segments(entry, length));
}

static uint32_t next_of(struct object *srq, uint32_t entry) {
    uint16_t next;
    memcpy(&next, srq->kernel.ring + (entry << srq->entry_shift) + 2, sizeof next);
    return be16toh(next);
}

int driver_print_posted(struct object *srq) {
    int posted = 0;
    for (; (srq->posted & 0xffff) != record(srq, 0); srq->posted++, posted++) {
        uint32_t entry = srq->next_entry;
        print_entry(srq->kernel.ring + (entry << srq->entry_shift) + UNIT, (1 << srq->entry_shift) - UNIT, entry);
        srq->next_entry = next_of(srq, entry);
    }
    return posted;
}

int driver_print_sent(struct object *qp) {
    uint32_t before = qp->position;
    while ((qp->position & 0xffff) != record(qp, 1)) {
        qp->position += print_wqe(qp, qp->position);
    }
    return before != qp->position;
}

void driver_print_received(struct object *qp) {
    uint32_t entry = (record(qp, 0) - 1) % qp->receives;
    print_entry(qp->kernel.ring + (entry << qp->shift), 1 << qp->shift, entry);
}

// ---- the device ------------------------------------------------------------------------------------------------------

void driver_take(struct object *srq) {
    printf("  entry %u\n", srq->device_entry);
    srq->device_entry = next_of(srq, srq->device_entry);
}

// cqe CQ QP OPCODE COUNTER WQE-OPCODE BYTES IMMEDIATE SOURCE SYNDROME VENDOR [SLID PATH]
void driver_complete(struct object *cq, struct object *qp) {
    // The number of a shared receive queue is in the entries of receives only.
    int sent = decimal(3) == MLX5_CQE_REQ || decimal(3) == MLX5_CQE_REQ_ERR;
    uint32_t srqn = qp->srq && !sent ? qp->srq->kernel.number : 0;
    struct mlx5_cqe64 entry = {
        .srqn_uidx = htobe32(cqe_version ? field(&qp->kernel, 32) : srqn),
        .imm_inval_pkey = htobe32(hexadecimal(7)),
        .byte_cnt = htobe32(decimal(6)),
        .flags_rqpn = htobe32(hexadecimal(8)),
        .slid = htobe16(word[11] ? hexadecimal(11) : 0),
        .ml_path = word[11] ? hexadecimal(12) : 0,
        .sop_drop_qpn = htobe32(hexadecimal(5) << 24 | qp->kernel.number),
        .wqe_counter = htobe16(decimal(4)),
        .op_own = decimal(3) << 4 | !!(cq->producer & cq->entries),
    };
    struct mlx5_err_cqe *error = (struct mlx5_err_cqe *)&entry;
    if (decimal(3) == MLX5_CQE_REQ_ERR || decimal(3) == MLX5_CQE_RESP_ERR) {
        error->syndrome = hexadecimal(9);
        error->vendor_err_synd = hexadecimal(10);
    }
    memcpy(cq->kernel.ring + cq->producer++ % cq->entries * BLOCK, &entry, sizeof entry);
}

// xcqe CQ XSRQ TARGET-QPN OPCODE COUNTER BYTES IMMEDIATE SYNDROME VENDOR
void driver_complete_xrc(struct object *cq, struct object *srq) {
    struct mlx5_cqe64 entry = {
        .srqn_uidx = htobe32(cqe_version ? field(&srq->kernel, 24) : srq->kernel.number),
        .imm_inval_pkey = htobe32(hexadecimal(7)),
        .byte_cnt = htobe32(decimal(6)),
        .sop_drop_qpn = htobe32(hexadecimal(3)),
        .wqe_counter = htobe16(decimal(5)),
        .op_own = decimal(4) << 4 | !!(cq->producer & cq->entries),
    };
    struct mlx5_err_cqe *error = (struct mlx5_err_cqe *)&entry;
    if (decimal(4) == MLX5_CQE_RESP_ERR) {
        error->syndrome = hexadecimal(8);
        error->vendor_err_synd = hexadecimal(9);
    }
    memcpy(cq->kernel.ring + cq->producer++ % cq->entries * BLOCK, &entry, sizeof entry);
}
