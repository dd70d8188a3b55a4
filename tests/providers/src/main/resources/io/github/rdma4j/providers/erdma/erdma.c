// SPDX-License-Identifier: Apache-2.0
//
// Alibaba Cloud's elastic RDMA adapter: the driver's part of the kernel, and what its library writes for the device.
#include "driver.h"
#include "text.h"

#include <endian.h>
#include <errno.h>
#include <linux/types.h>
#include <rdma/erdma-abi.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <stdio.h>
#include <string.h>

enum {
    BLOCK = 32,
    PIECE = 16,
    MOST_BLOCKS = 4,
    OF_ALL = 2,
    OF_CONTEXT = 1,
    ENTRY = 5,
    RECEIVES = 1,
    OP_WRITE = 0,
    OP_READ = 1,
    OP_SEND = 2,
    OP_WRITE_IMM = 9,
    OP_CAS = 17,
    OP_FAA = 18,
};

static int sdb_type, sdb_offset;

// ---- the kernel ------------------------------------------------------------------------------------------------------

void driver_start(char **arguments) {
    int entry = !strcmp(arguments[0], "entry");
    sdb_type = entry ? OF_CONTEXT : OF_ALL;
    sdb_offset = entry ? ENTRY : 0;
}

int driver_is_infiniband(void) {
    return 0;
}

int driver_get_context(struct ib_uverbs_ioctl_hdr *call, const void *request, int bytes) {
    struct erdma_uresp_alloc_ctx reply = {
        .dev_id = 0x107f,
        .sdb_type = sdb_type,
        .sdb_offset = sdb_offset,
        .sdb = 1 * PAGE,
        .rdb = 2 * PAGE,
        .cdb = 3 * PAGE,
    };
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
    return 0;
}

void driver_query_device(struct ib_uverbs_ioctl_hdr *call) {}

void driver_alloc_pd(struct ib_uverbs_ioctl_hdr *call) {}

void driver_create_ah(struct ib_uverbs_ioctl_hdr *call) {}

static uint32_t power_of_two(uint32_t number) {
    uint32_t power = 1;
    while (power < number) {
        power <<= 1;
    }
    return power;
}

static uint32_t pages(uint32_t size) {
    return (size + PAGE - 1) / PAGE * PAGE;
}

// Each request begins with the two addresses.
static void take_addresses(struct queue *made) {
    memcpy(&made->record, made->request, sizeof made->record);
    memcpy(&made->ring, made->request + sizeof made->record, sizeof made->ring);
}

void driver_create_cq(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {
    take_addresses(made);
    struct erdma_uresp_create_cq reply = {.cq_id = made->number, .num_cqe = made->asked};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

static struct erdma_uresp_create_qp last_reply;

void driver_create_qp(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {
    int length;
    const struct ib_uverbs_qp_cap *cap = kernel_input(call, UVERBS_ATTR_CREATE_QP_CAP, &length);
    take_addresses(made);
    uint32_t blocks = power_of_two(cap->max_send_wr * MOST_BLOCKS);
    last_reply = (struct erdma_uresp_create_qp){
        .qp_id = made->number,
        .num_sqe = blocks,
        .num_rqe = power_of_two(cap->max_recv_wr),
        .rq_offset = pages(blocks * BLOCK),
    };
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &last_reply, sizeof last_reply);
}

void driver_create_srq(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {}

int driver_method(struct ib_uverbs_ioctl_hdr *call) {
    return EOPNOTSUPP;
}

// ---- queues ----------------------------------------------------------------------------------------------------------

void driver_hide(struct queue *of) {
    memset(of->request, 0, 2 * sizeof(uint64_t));
}

void driver_made_cq(struct object *made) {
    made->entries = ((struct ibv_cq *)made->verbs)->cqe;
    printf("  granted %u\n", made->entries);
}

void driver_made_qp(struct object *made, struct ibv_qp_cap cap) {
    made->blocks = last_reply.num_sqe;
    made->receives = last_reply.num_rqe;
    made->shift = last_reply.rq_offset;
    printf("  granted %u %u %u %u %u\n", cap.max_send_wr, cap.max_recv_wr, cap.max_send_sge, cap.max_recv_sge,
           cap.max_inline_data);
}

void driver_made_srq(struct object *made, unsigned most) {}

// The connection manager of the kernel does it.
void driver_to_rts(struct object *qp) {}

// ---- what the device sees --------------------------------------------------------------------------------------------

static uint64_t record(struct object *of, int index) {
    uint64_t value;
    memcpy(&value, of->kernel.record + index * sizeof value, sizeof value);
    return le64toh(value);
}

// The first eight bytes of a receive, two of which the library leaves as they were.
static unsigned long long received(uint64_t value) {
    return value & ~0xffff0000ull;
}

// What a new record holds is another number since rdma-core 65; both mean that the queue was never armed.
static uint64_t armed(uint64_t value) {
    return value >> 56 == 0xff && (uint32_t)value == 3u << 28 ? 0 : value;
}

void driver_print_record(struct object *of) {
    if (of->kernel.kind == CQ) {
        printf("  record %016llx\n", (unsigned long long)armed(record(of, 0)));
    } else {
        printf("  record %016llx %016llx\n", (unsigned long long)record(of, 0), received(record(of, 1)));
    }
}

void driver_print_doorbell(int page, int at, const uint8_t *stored) {
    uint64_t value;
    memcpy(&value, stored, sizeof value);
    value = le64toh(value);
    printf("  doorbell %d %x %016llx\n", page, at, page == RECEIVES ? received(value) : (unsigned long long)value);
}

static uint64_t header_of(const uint8_t *element) {
    uint64_t header;
    memcpy(&header, element, sizeof header);
    return le64toh(header);
}

// The library leaves some bytes as they were: makes zeros of them.
static void clear_stale(uint8_t *element, int length) {
    uint64_t header = header_of(element);
    int operation = header >> 27 & 0x1f, count = header >> 56, in_line = header >> 25 & 1;
    if (operation == OP_READ) {
        memset(element + 8, 0, 4);
        memset(element + 28, 0, 4);
        memset(element + 48, 0, 16);
        return;
    }
    if (operation == OP_CAS || operation == OP_FAA) {
        memset(element + 8, 0, 8);
        memset(element + 40, 0, 4);
        if (operation == OP_FAA) {
            memset(element + 24, 0, 8);
        }
        return;
    }
    int write = operation == OP_WRITE || operation == OP_WRITE_IMM;
    if (operation == OP_WRITE || operation == OP_SEND) {
        memset(element + 8, 0, 4);
    }
    if (write) {
        memset(element + 28, 0, 4);
    }
    int end = (write ? BLOCK : PIECE) + (in_line ? count : count * PIECE);
    int left = length - end;
    // The number of the queue pair is behind a piece that has its block alone.
    memset(element + end, 0, !in_line && count && left == PIECE ? 12 : left);
}

// Prints one work queue element and returns its blocks.
static int print_element(struct object *qp, uint32_t position) {
    uint32_t ring_bytes = qp->blocks * BLOCK, at = position % qp->blocks * BLOCK;
    uint8_t element[2 * MOST_BLOCKS * BLOCK] = {0};
    int blocks = (header_of(qp->kernel.ring + at) >> 52 & 7) + 1;
    for (int i = 0; i < blocks * BLOCK; i++) {
        element[i] = qp->kernel.ring[(at + i) % ring_bytes];
    }
    clear_stale(element, blocks * BLOCK);
    printf("  wqe %u ", position % qp->blocks);
    bytes(element, blocks * BLOCK);
    return blocks;
}

int driver_print_sent(struct object *qp) {
    uint32_t before = qp->position;
    while ((qp->position & 0xffff) != (record(qp, 0) & 0xffff)) {
        qp->position += print_element(qp, qp->position);
    }
    return before != qp->position;
}

// Without a length the library leaves address and key as they were.
void driver_print_received(struct object *qp) {
    uint32_t entry = ((record(qp, 1) & 0xffff) - 1) % qp->receives, length;
    uint8_t element[BLOCK];
    memcpy(element, qp->kernel.ring + qp->shift + entry * BLOCK, BLOCK);
    memcpy(&length, element + 24, sizeof length);
    memset(element + 2, 0, 2);
    memset(element + 8, 0, 8);
    if (!length) {
        memset(element + 16, 0, 16);
    }
    printf("  entry %u ", entry);
    bytes(element, BLOCK);
}

int driver_print_posted(struct object *srq) {
    return 0;
}

// ---- the device ------------------------------------------------------------------------------------------------------

void driver_take(struct object *srq) {}

// cqe CQ QP OPERATION QUEUE INDEX STATUS BYTES IMMEDIATE
void driver_complete(struct object *cq, struct object *qp) {
    uint32_t owner = cq->producer & cq->entries ? 0 : 1u << 31;
    uint32_t entry[BLOCK / 4] = {
        htobe32(owner | (uint32_t)decimal(3) << 16 | (uint32_t)decimal(4) << 8 | (uint32_t)decimal(6)),
        htobe32(decimal(5)),
        htobe32(qp->kernel.number),
        htole32(hexadecimal(8)),
        htobe32(decimal(7)),
    };
    memcpy(cq->kernel.ring + cq->producer++ % cq->entries * BLOCK, entry, sizeof entry);
}

void driver_complete_xrc(struct object *cq, struct object *srq) {}
