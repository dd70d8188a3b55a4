// SPDX-License-Identifier: Apache-2.0
//
// ConnectX-3: the driver's part of the kernel, and what libmlx4 writes for the device.
#include "driver.h"
#include "text.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/mlx4dv.h>
#include <linux/types.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/mlx4-abi.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 16, PIECE = 64, CQE = sizeof(struct mlx4_cqe), WQE = 1024, PDN = 9, INITIAL = 0xcc, XRC_QPN = 1 << 23, HAS_VLAN = 1 << 29 };

static const uint8_t PEER_MAC[6] = {0x02, 0x11, 0x22, 0x33, 0x44, 0x55};

static int infiniband, entry_bytes;

// ---- the kernel ------------------------------------------------------------------------------------------------------

void driver_start(char **arguments) {
    infiniband = strcmp(arguments[0], "roce");
    entry_bytes = atoi(arguments[1]);
}

int driver_is_infiniband(void) {
    return infiniband;
}

int driver_get_context(struct ib_uverbs_ioctl_hdr *call, const void *request, int bytes) {
    struct mlx4_ib_alloc_ucontext_resp reply = {
        .dev_caps = entry_bytes == CQE ? 0 : MLX4_USER_DEV_CAP_LARGE_CQE,
        .qp_tab_size = 1 << 24,
        .cqe_size = entry_bytes,
    };
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
    return 0;
}

void driver_query_device(struct ib_uverbs_ioctl_hdr *call) {
    struct mlx4_uverbs_ex_query_device_resp reply = {.response_length = sizeof reply};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

void driver_alloc_pd(struct ib_uverbs_ioctl_hdr *call) {
    struct mlx4_ib_alloc_pd_resp reply = {PDN};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

void driver_create_ah(struct ib_uverbs_ioctl_hdr *call) {}

// Each request begins with the two addresses.
static void take_addresses(struct queue *made) {
    memcpy(&made->ring, made->request, sizeof made->ring);
    memcpy(&made->record, made->request + sizeof made->ring, sizeof made->record);
}

void driver_create_cq(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {
    take_addresses(made);
    memset(made->ring, INITIAL, (made->asked + 1) * entry_bytes);
    struct mlx4_ib_create_cq_resp reply = {made->number};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

static uint32_t power_of_two(uint32_t number) {
    uint32_t power = number ? 1 : 0;
    while (power < number) {
        power <<= 1;
    }
    return power;
}

// The kernel rounds up what belongs to receives.
void driver_create_qp(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {
    take_addresses(made);
    int bytes;
    struct ib_uverbs_qp_cap granted = *(const struct ib_uverbs_qp_cap *)kernel_input(call, UVERBS_ATTR_CREATE_QP_CAP, &bytes);
    granted.max_recv_wr = power_of_two(granted.max_recv_wr);
    granted.max_recv_sge = power_of_two(granted.max_recv_sge);
    kernel_output(call, UVERBS_ATTR_CREATE_QP_RESP_CAP, &granted, sizeof granted);
}

void driver_create_srq(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {
    take_addresses(made);
    struct mlx4_ib_create_srq_resp reply = {made->number};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

int driver_method(struct ib_uverbs_ioctl_hdr *call) {
    return EOPNOTSUPP;
}

// The program's own in place of that of libibverbs, which asks the neighbours.
int ibv_resolve_eth_l2_from_gid(struct ibv_context *context, struct ibv_ah_attr *to, uint8_t mac[6], uint16_t *vlan) {
    memcpy(mac, PEER_MAC, sizeof PEER_MAC);
    *vlan = to->grh.sgid_index == 3 ? 0x123 : 0xffff;
    return 0;
}

// The library prints some failed completions.
int __printf_chk(int flag, const char *format, ...) {
    return 0;
}

// ---- queues ----------------------------------------------------------------------------------------------------------

void driver_hide(struct queue *of) {
    memset(of->request, 0, 2 * sizeof(uint64_t));
}

void driver_made_cq(struct object *made) {
    made->entries = ((struct ibv_cq *)made->verbs)->cqe + 1;
    printf("  granted %d\n", made->entries - 1);
}

static uint32_t stride(struct object *qp) {
    return qp->kernel.request[17];
}

void driver_made_qp(struct object *made, struct ibv_qp_cap cap) {
    int own = !made->srq && made->type != IBV_QPT_XRC_SEND;
    made->blocks = 1u << made->kernel.request[16];
    made->receives = own ? cap.max_recv_wr : 0;
    for (made->shift = 4; own && 1u << made->shift < cap.max_recv_sge * UNIT;) {
        made->shift++;
    }
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

// The ring with the larger entries comes first.
static int receives_are_first(struct object *qp) {
    return qp->shift > stride(qp);
}

static uint8_t *send_at(struct object *qp, uint32_t index) {
    uint8_t *ring = qp->kernel.ring + (receives_are_first(qp) ? qp->receives << qp->shift : 0);
    return ring + (index % qp->blocks << stride(qp));
}

static uint8_t *receive_at(struct object *qp, uint32_t index) {
    uint8_t *ring = qp->kernel.ring + (receives_are_first(qp) ? 0 : qp->blocks << stride(qp));
    return ring + (index % qp->receives << qp->shift);
}

// ---- what the device sees --------------------------------------------------------------------------------------------

static uint32_t record(struct object *of, int index) {
    return be32toh(((uint32_t *)of->kernel.record)[index]);
}

void driver_print_record(struct object *of) {
    if (of->kernel.kind == CQ) {
        printf("  record %x %x\n", record(of, 0), record(of, 1));
    } else if (of->kernel.record) {
        printf("  record %x\n", record(of, 0));
    } else {
        printf("  no record\n");
    }
}

// The doorbell of sends has 32 bits, that of completion queues 64.
void driver_print_doorbell(int page, int at, const uint8_t *stored) {
    if (at == (MLX4_SEND_DOORBELL & ~7)) {
        uint32_t value;
        memcpy(&value, stored + 4, sizeof value);
        printf("  doorbell %x %08x\n", MLX4_SEND_DOORBELL, be32toh(value));
    } else {
        uint64_t value;
        memcpy(&value, stored, sizeof value);
        printf("  doorbell %x %016llx\n", at, (unsigned long long)be64toh(value));
    }
}

static uint32_t word_of(const uint8_t *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return be32toh(value);
}

static int data_at(struct object *qp, int opcode) {
    switch (opcode) {
    case MLX4_OPCODE_SEND:
    case MLX4_OPCODE_SEND_IMM:
        return qp->type == IBV_QPT_UD ? 64 : 16;
    case MLX4_OPCODE_SEND_INVAL:
        return 16;
    case MLX4_OPCODE_ATOMIC_CS:
    case MLX4_OPCODE_ATOMIC_FA:
    case MLX4_OPCODE_LOCAL_INVAL:
    case MLX4_OPCODE_BIND_MW:
        return 48;
    default:
        return 32;
    }
}

// What libmlx4 leaves as it was becomes zeros: the end of inline data, and of an address what its port does not have.
static void clear_rest(struct object *qp, uint8_t *wqe, int length) {
    if (qp->type == IBV_QPT_UD) {
        int keeps = infiniband ? 0 : word_of(wqe + UNIT) & HAS_VLAN ? 8 : 6;
        memset(wqe + 56, 0, 8 - keeps);
    }
    int end = data_at(qp, wqe[3]);
    if (end >= length || !(word_of(wqe + end) & MLX4_INLINE_SEG) || word_of(wqe + end) == MLX4_INLINE_SEG) {
        return;
    }
    while (end < length) {
        int bytes = word_of(wqe + end) & ~MLX4_INLINE_SEG;
        end += 4 + bytes;
        if (end % PIECE) {
            break;
        }
    }
    memset(wqe + end, 0, end < length ? length - end : 0);
}

static void print_wqe(struct object *qp, uint32_t index) {
    uint8_t wqe[WQE], *at = send_at(qp, index);
    int length = (at[7] & 0x3f) * UNIT;
    memcpy(wqe, at, length);
    clear_rest(qp, wqe, length);
    printf("  wqe %u ", index & 0xffff);
    bytes(wqe, length);
}

// The marks of an element ahead, which the device must not take for one that was posted.
static void print_stamps(struct object *qp, uint32_t index) {
    uint8_t marks[WQE / PIECE * 4], *at = send_at(qp, index);
    int pieces = (1 << stride(qp)) / PIECE;
    for (int i = 0; i < pieces; i++) {
        memcpy(marks + i * 4, at + i * PIECE, 4);
    }
    printf("  ahead ");
    bytes(marks, pieces * 4);
}

int driver_print_sent(struct object *qp) {
    uint32_t first = qp->position, spare = (2048 >> stride(qp)) + 1;
    while (send_at(qp, qp->position)[0] >> 7 == !!(qp->position & qp->blocks)) {
        print_wqe(qp, qp->position++);
    }
    for (uint32_t index = first; index != qp->position; index++) {
        print_stamps(qp, index + spare);
    }
    return first != qp->position;
}

static void print_entry(const uint8_t *entry, int length, uint32_t index) {
    int end = 0;
    while (end < length && word_of(entry + end + 4) != MLX4_INVALID_LKEY) {
        end += UNIT;
    }
    printf("  entry %u ", index);
    bytes(entry, end < length ? end + UNIT : end);
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

void driver_print_received(struct object *qp) {
    uint32_t entry = (record(qp, 0) - 1) % qp->receives;
    print_entry(receive_at(qp, entry), 1 << qp->shift, entry);
}

// ---- the device ------------------------------------------------------------------------------------------------------

void driver_take(struct object *srq) {
    printf("  entry %u\n", srq->device_entry);
    srq->device_entry = next_of(srq, srq->device_entry);
}

// The entry of an index has 32 bytes, at the end of its place.
static uint8_t *entry_at(uint8_t *ring, uint32_t entries, uint32_t index) {
    return ring + (index % entries + 1) * entry_bytes - CQE;
}

static void write_entry(struct object *cq, struct mlx4_cqe *entry) {
    entry->owner_sr_opcode |= cq->producer & cq->entries ? MLX4_CQE_OWNER_MASK : 0;
    memcpy(entry_at(cq->kernel.ring, cq->entries, cq->producer++), entry, sizeof *entry);
}

// The first words are the same in an entry of an error.
static void fail_entry(struct mlx4_cqe *entry, int syndrome, int vendor) {
    struct mlx4_err_cqe *error = (struct mlx4_err_cqe *)entry;
    if (mlx4dv_get_cqe_opcode(entry) == MLX4_CQE_OPCODE_ERROR) {
        error->syndrome = syndrome;
        error->vendor_err = vendor;
    }
}

// cqe CQ QP OPCODE INDEX SEND BYTES IMMEDIATE SOURCE SYNDROME VENDOR SERVICE LID
void driver_complete(struct object *cq, struct object *qp) {
    struct mlx4_cqe entry = {
        .vlan_my_qpn = htobe32(qp->kernel.number),
        .immed_rss_invalid = htobe32(hexadecimal(7)),
        .g_mlpath_rqpn = htobe32(hexadecimal(8)),
        .sl_vid = htobe16(hexadecimal(11)),
        .rlid = htobe16(hexadecimal(12)),
        .byte_cnt = htobe32(decimal(6)),
        .wqe_index = htobe16(decimal(4)),
        .owner_sr_opcode = hexadecimal(3) | (decimal(5) ? MLX4_CQE_IS_SEND_MASK : 0),
    };
    fail_entry(&entry, hexadecimal(9), hexadecimal(10));
    write_entry(cq, &entry);
}

// xcqe CQ XSRQ TARGET-QPN OPCODE ENTRY BYTES IMMEDIATE SYNDROME VENDOR
void driver_complete_xrc(struct object *cq, struct object *srq) {
    struct mlx4_cqe entry = {
        .vlan_my_qpn = htobe32(XRC_QPN | hexadecimal(3)),
        .immed_rss_invalid = htobe32(hexadecimal(7)),
        .g_mlpath_rqpn = htobe32(srq->kernel.number),
        .byte_cnt = htobe32(decimal(6)),
        .wqe_index = htobe16(decimal(5)),
        .owner_sr_opcode = hexadecimal(4),
    };
    fail_entry(&entry, hexadecimal(8), hexadecimal(9));
    write_entry(cq, &entry);
}

// The device leaves the old ring with an entry that says so, and goes on in the new one.
int driver_resize_cq(struct ib_uverbs_ioctl_hdr *call, uint32_t handle, uint32_t asked) {
    struct object *cq = find_cq(handle);
    int bytes;
    const struct mlx4_ib_resize_cq *request = kernel_input(call, UVERBS_ATTR_UHW_IN, &bytes);
    if (!cq || bytes != sizeof *request) {
        return EINVAL;
    }
    struct mlx4_cqe left = {.owner_sr_opcode = MLX4_CQE_OPCODE_RESIZE};
    write_entry(cq, &left);
    cq->entries = asked + 1;
    cq->kernel.ring = (uint8_t *)(uintptr_t)request->buf_addr;
    memset(cq->kernel.ring, INITIAL, cq->entries * entry_bytes);
    for (uint32_t index = cq->producer; index != cq->producer + cq->entries; index++) {
        entry_at(cq->kernel.ring, cq->entries, index)[CQE - 1] = index & cq->entries ? 0 : MLX4_CQE_OWNER_MASK;
    }
    return 0;
}
