// SPDX-License-Identifier: Apache-2.0
//
// Intel's E810 and X722: the driver's part of the kernel, and what its library writes for the device.
#include "driver.h"
#include "text.h"

#include <endian.h>
#include <errno.h>
#include <linux/types.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/irdma-abi.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <stdio.h>
#include <string.h>

enum {
    QUANTUM = 32,
    QUANTUM_SHIFT = 5,
    QUANTA_OF_PAGE = PAGE / QUANTUM,
    ABI = 5,
    VERSION_AT = 4,
    SHADOW_ARM = 32,
    WRITE_IMM = 1,
    SEND_IMM = 2,
    ROCE = 4,
    PUSH = 8,
    AFTER_RTS = 1,
    RESIZE = 2,
    OP_NOP = 12,
    FLUSH = 1,
};

// What a mode is like; a generation of 0 is the driver before irdma.
static struct mode {
    const char *name;
    int generation, kernel_sends;
    uint64_t features;
    uint32_t caps, pieces, read_pieces, most_inline, chunk;
} mode;

static const struct mode MODES[] = {
    {"roce", 2, 0, RESIZE, WRITE_IMM | SEND_IMM | ROCE | PUSH, 13, 13, 101, 8},
    {"iwarp", 2, 3, AFTER_RTS, WRITE_IMM, 13, 13, 101, 8},
    {"x722", 1, 1, 0, 0, 3, 1, 48, 2},
    {"i40iw", 0, 1, 0, 0, 3, 1, 48, 2},
};

// Regions of rings that were registered since the last record.
static char registered[1024];
static uint16_t sq_pages, rq_pages;
static uint32_t next_ah = 1, next_region = 1;

// ---- the kernel ------------------------------------------------------------------------------------------------------

void driver_start(char **arguments) {
    for (size_t i = 0; i < sizeof MODES / sizeof *MODES; i++) {
        if (!strcmp(arguments[0], MODES[i].name)) {
            mode = MODES[i];
        }
    }
}

int driver_is_infiniband(void) {
    return 0;
}

// The library leaves all but the version as it was on its stack.
int driver_get_context(struct ib_uverbs_ioctl_hdr *call, const void *request, int bytes) {
    uint8_t *said = (uint8_t *)request;
    for (int i = 0; i < bytes; i++) {
        said[i] = i == VERSION_AT ? said[i] : 0;
    }
    struct irdma_alloc_ucontext_resp reply = {.kernel_ver = ABI};
    if (mode.generation) {
        reply.hw_rev = mode.generation;
        reply.feature_flags = mode.features;
        reply.db_mmap_key = 7 * PAGE;
        reply.max_hw_wq_frags = mode.pieces;
        reply.max_hw_read_sges = mode.read_pieces;
        reply.max_hw_inline = mode.most_inline;
        reply.max_hw_rq_quanta = 32768;
        reply.max_hw_wq_quanta = 32768;
        reply.min_hw_cq_size = 1;
        reply.max_hw_cq_size = 1048575;
        reply.max_hw_sq_chunk = mode.chunk;
    }
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
    return 0;
}

void driver_query_device(struct ib_uverbs_ioctl_hdr *call) {}

void driver_alloc_pd(struct ib_uverbs_ioctl_hdr *call) {
    struct irdma_alloc_pd_resp reply = {.pd_id = 1};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

void driver_create_ah(struct ib_uverbs_ioctl_hdr *call) {
    struct irdma_create_ah_resp reply = {.ah_id = next_ah++};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

static int register_memory(struct ib_uverbs_ioctl_hdr *call) {
    int length;
    struct ib_uverbs_reg_mr asked;
    struct irdma_mem_reg_req parts;
    memcpy(&asked, kernel_input(call, UVERBS_ATTR_CORE_IN, &length), sizeof asked);
    memcpy(&parts, kernel_input(call, UVERBS_ATTR_UHW_IN, &length), sizeof parts);
    sq_pages = parts.sq_pages;
    rq_pages = parts.rq_pages;
    size_t used = strlen(registered);
    snprintf(registered + used, sizeof registered - used, " registered %d %d %d %d, %llu bytes", parts.reg_type,
             parts.cq_pages, parts.rq_pages, parts.sq_pages, (unsigned long long)asked.length);
    struct ib_uverbs_reg_mr_resp reply = {.mr_handle = next_region++};
    kernel_output(call, UVERBS_ATTR_CORE_OUT, &reply, sizeof reply);
    return asked.start % PAGE || asked.hca_va != asked.start ? EINVAL : 0;
}

// The process takes what is in the old ring first.
int driver_resize_cq(struct ib_uverbs_ioctl_hdr *call, uint32_t handle, uint32_t asked) {
    struct object *cq = find_cq(handle);
    int length;
    const struct irdma_resize_cq_req *request = kernel_input(call, UVERBS_ATTR_UHW_IN, &length);
    if (!cq || length != sizeof *request) {
        return EINVAL;
    }
    cq->kernel.ring = (uint8_t *)(uintptr_t)request->user_cq_buffer;
    cq->kernel.asked = asked;
    cq->producer = 0;
    return 0;
}

int driver_write(struct ib_uverbs_ioctl_hdr *call, int command) {
    return command == IB_USER_VERBS_CMD_REG_MR ? register_memory(call) : EOPNOTSUPP;
}

// Each request begins with the address of the ring.
void driver_create_cq(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {
    memcpy(&made->ring, made->request, sizeof made->ring);
    memcpy(&made->record, made->request + sizeof made->ring, sizeof made->record);
    struct irdma_create_cq_resp reply = {.cq_id = made->number, .cq_size = made->asked};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

static struct ib_uverbs_qp_cap last_cap;

// The address of the record is what completions repeat.
void driver_create_qp(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {
    int length;
    memcpy(&last_cap, kernel_input(call, UVERBS_ATTR_CREATE_QP_CAP, &length), sizeof last_cap);
    memcpy(&made->ring, made->request, sizeof made->ring);
    memcpy(&made->record, made->request + sizeof made->ring, sizeof made->record);
    struct irdma_create_qp_resp reply = {
        .qp_id = made->number,
        .actual_sq_size = last_cap.max_send_wr,
        .actual_rq_size = last_cap.max_recv_wr,
        .lsmm = mode.generation && mode.kernel_sends,
        .qp_caps = mode.caps,
    };
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

void driver_create_srq(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {}

int driver_method(struct ib_uverbs_ioctl_hdr *call) {
    return call->object_id == UVERBS_OBJECT_MR ? 0 : EOPNOTSUPP;
}

// ---- queues ----------------------------------------------------------------------------------------------------------

void driver_hide(struct queue *of) {
    memset(of->request, 0, 2 * sizeof(uint64_t));
}

static int is_new_format(void) {
    return mode.generation == 2;
}

// The library reports what it was asked for, and has room for more if that is small.
static void print_capacity(uint32_t entries) {
    printf("  granted %u\n", (is_new_format() ? entries / 2 : entries) - 1);
}

void driver_made_cq(struct object *made) {
    made->entries = made->kernel.asked;
    print_capacity(made->entries);
}

static uint32_t receive_shift(uint32_t pieces) {
    return !is_new_format() ? 2 : pieces <= 1 ? 0 : pieces < 4 ? 1 : pieces < 8 ? 2 : 3;
}

void driver_made_qp(struct object *made, struct ibv_qp_cap cap) {
    made->blocks = sq_pages * QUANTA_OF_PAGE;
    made->receives = last_cap.max_recv_wr;
    made->shift = sq_pages * PAGE;
    made->entry_shift = receive_shift(cap.max_recv_sge);
    made->position = mode.kernel_sends;
    printf("  granted %u %u %u %u %u asked for %u %u\n", cap.max_send_wr, cap.max_recv_wr, cap.max_send_sge,
           cap.max_recv_sge, cap.max_inline_data, last_cap.max_send_wr, last_cap.max_recv_wr);
}

void driver_made_srq(struct object *made, unsigned most) {}

// The library posts in any state.
void driver_to_rts(struct object *qp) {}

// ---- what the device sees --------------------------------------------------------------------------------------------

static uint64_t long_at(const uint8_t *at) {
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return le64toh(value);
}

void driver_print_record(struct object *of) {
    printf("  record");
    if (of->kernel.kind == CQ) {
        printf(" %016llx %016llx", (unsigned long long)long_at(of->kernel.record),
               (unsigned long long)long_at(of->kernel.record + SHADOW_ARM));
    }
    printf("%s\n", registered);
    registered[0] = 0;
}

void driver_print_doorbell(int page, int at, const uint8_t *stored) {
    uint32_t value;
    memcpy(&value, stored, sizeof value);
    printf("  doorbell %d %x %x\n", page, at, le32toh(value));
}

// The quanta of an element with that header.
static int quanta_of(uint64_t header) {
    int length = header >> 48 & 0xff, more = header >> 38 & 0xf;
    if (!(header >> 57 & 1)) {
        return (header >> 32 & 0x3f) == OP_NOP ? 1 : (more + 1) / 2 + 1;
    }
    if (!is_new_format()) {
        return length <= 16 ? 1 : 2;
    }
    return length <= 8 ? 1 : 1 + (length - 8 + 30) / 31;
}

// The device takes elements as long as they are of this lap.
int driver_print_sent(struct object *qp) {
    uint32_t before = qp->position;
    for (;;) {
        uint32_t quantum = qp->position % qp->blocks;
        const uint8_t *element = qp->kernel.ring + quantum * QUANTUM;
        uint64_t header = long_at(element + 24);
        if (header >> 63 == (qp->position / qp->blocks & 1)) {
            return before != qp->position;
        }
        int quanta = quanta_of(header);
        printf("  wqe %u ", quantum);
        bytes(element, quanta * QUANTUM);
        qp->position += quanta;
    }
}

void driver_print_received(struct object *qp) {
    uint32_t entry = qp->posted++ % qp->receives;
    printf("  entry %u ", entry);
    bytes(qp->kernel.ring + qp->shift + (entry << qp->entry_shift << QUANTUM_SHIFT), QUANTUM << qp->entry_shift);
}

int driver_print_posted(struct object *srq) {
    return 0;
}

// ---- the device ------------------------------------------------------------------------------------------------------

void driver_take(struct object *srq) {}

static void write_quantum(struct object *cq, uint64_t first, uint64_t second, uint64_t third, uint64_t header) {
    uint64_t valid = cq->producer / cq->entries & 1 ? 0 : 1ull << 63;
    uint64_t quantum[] = {htole64(first), htole64(second), htole64(third), htole64(header | valid)};
    memcpy(cq->kernel.ring + cq->producer++ % cq->entries * QUANTUM, quantum, sizeof quantum);
}

// cqe CQ QP OPERATION QUEUE INDEX MAJOR MINOR BYTES IMMEDIATE|- SOURCE INVALIDATED
void driver_complete(struct object *cq, struct object *qp) {
    uint64_t sent = decimal(4), major = decimal(6), index = decimal(5);
    int extended = strcmp(word[9], "-") != 0;
    uint64_t element = sent ? index : index % qp->receives << qp->entry_shift;
    uint64_t header = decimal(3) << 56 | sent << 62 | element << 32 | (uint64_t)extended << 50 | decimal(11) << 53 |
                      (uint64_t)(major != 0) << 55 | major << 16 | decimal(7);
    write_quantum(cq, decimal(8), (uintptr_t)qp->kernel.record,
                  (uint64_t)qp->kernel.number << 32 | (uint32_t)hexadecimal(10), header);
    if (extended) {
        write_quantum(cq, (uint32_t)hexadecimal(9), 0, 0, 1ull << 62);
    }
}

void driver_complete_xrc(struct object *cq, struct object *srq) {}
