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
    WIDE_COMPLETIONS = 1 << 5,
    ATOMICS = 1 << 6,
    SHARES_RECEIVES = 1 << 7,
    SAID_BY_NEWER_KERNELS = 7,
    MOST_SHARED_QUANTA = 262144,
    SEND_RESERVE = 258,
    RECEIVE_RESERVE = 1,
    NAME_AT = 16,
    MOST_TAKEN = 1 << 20,
    OP_NOP = 12,
    FLUSH = 1,
};

// What the installed header does not have.
struct newer_reply {
    struct irdma_alloc_ucontext_resp old;
    uint16_t fewest_requests, reserved;
    uint32_t most_shared_quanta;
};

struct srq_request {
    uint64_t ring, shadow;
};

struct srq_reply {
    uint32_t number, size;
};

// What a mode is like; a generation of 0 is the driver before irdma.
static struct mode {
    const char *name;
    int generation, kernel_sends;
    uint64_t features;
    uint32_t caps, pieces, read_pieces, most_inline, chunk;
    uint32_t fewest; // elements of a ring, as newer kernels say
} mode;

static const struct mode MODES[] = {
    {"roce", 2, 0, RESIZE, WRITE_IMM | SEND_IMM | ROCE | PUSH, 13, 13, 101, 8},
    {"iwarp", 2, 3, AFTER_RTS, WRITE_IMM, 13, 13, 101, 8},
    {"x722", 1, 1, 0, 0, 3, 1, 48, 2},
    {"i40iw", 0, 1, 0, 0, 3, 1, 48, 2},
    {"roce_newer", 2, 0, RESIZE, WRITE_IMM | SEND_IMM | ROCE | PUSH, 13, 13, 101, 8, 8},
    {"gen3", 3, 0, AFTER_RTS | RESIZE | WIDE_COMPLETIONS | ATOMICS | SHARES_RECEIVES, WRITE_IMM | SEND_IMM | ROCE | PUSH, 14, 14,
     216, 8, 16},
};

// Regions of rings that were registered since the last record.
static char registered[1024];
static uint16_t sq_pages, rq_pages;
static uint32_t next_ah = 1, next_region = 1;

// What the device keeps of shared receives that it has taken, by their number.
static uint64_t taken[MOST_TAKEN];
static uint32_t next_taken;

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

static int is_third(void) {
    return mode.generation == 3;
}

// The kernel computes the sizes of rings.
static int is_newer(void) {
    return mode.fewest > 0;
}

// The library of rdma-core 44 leaves all but the version as it was on its stack.
int driver_get_context(struct ib_uverbs_ioctl_hdr *call, const void *request, int bytes) {
    uint8_t *said = (uint8_t *)request;
    for (int i = 0; i < bytes; i++) {
        said[i] = i == VERSION_AT || is_newer() ? said[i] : 0;
    }
    struct newer_reply newer = {.fewest_requests = mode.fewest, .most_shared_quanta = is_third() ? MOST_SHARED_QUANTA : 0};
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
    newer.old = reply;
    newer.old.comp_mask = SAID_BY_NEWER_KERNELS;
    if (is_newer()) {
        kernel_output(call, UVERBS_ATTR_UHW_OUT, &newer, sizeof newer);
    } else {
        kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
    }
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

static uint32_t shift_of(uint32_t pieces) {
    return pieces <= 1 ? 0 : pieces < 4 ? 1 : pieces < 8 ? 2 : 3;
}

static uint32_t send_shift(void) {
    uint32_t inlined = last_cap.max_inline_data, of_inline = inlined <= 8 ? 0 : inlined <= 39 ? 1 : inlined <= 101 ? 2 : 3;
    uint32_t of_pieces = shift_of(last_cap.max_send_sge + 1);
    return of_pieces > of_inline ? of_pieces : of_inline;
}

// The elements of a ring, which the process asks older kernels for.
static uint32_t elements(uint32_t requests, uint32_t shift, uint32_t reserve) {
    uint32_t quanta = 1;
    while (quanta < (requests << shift) + reserve) {
        quanta <<= 1;
    }
    return quanta >> shift > mode.fewest ? quanta >> shift : mode.fewest;
}

static uint32_t receives_of_ring(void) {
    return is_newer() ? elements(last_cap.max_recv_wr, shift_of(last_cap.max_recv_sge), RECEIVE_RESERVE) : last_cap.max_recv_wr;
}

// The address of the record is what completions repeat.
void driver_create_qp(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {
    int length;
    memcpy(&last_cap, kernel_input(call, UVERBS_ATTR_CREATE_QP_CAP, &length), sizeof last_cap);
    memcpy(&made->ring, made->request, sizeof made->ring);
    memcpy(&made->record, made->request + sizeof made->ring, sizeof made->record);
    struct irdma_create_qp_resp reply = {
        .qp_id = made->number,
        .actual_sq_size = is_newer() ? elements(last_cap.max_send_wr, send_shift(), SEND_RESERVE) : last_cap.max_send_wr,
        .actual_rq_size = receives_of_ring(),
        .lsmm = mode.generation && mode.kernel_sends,
        .qp_caps = mode.caps,
    };
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

static uint32_t number_of(struct ib_uverbs_ioctl_hdr *call, int id) {
    int length;
    uint32_t value;
    memcpy(&value, kernel_input(call, id, &length), sizeof value);
    return value;
}

static uint32_t last_pieces;

void driver_create_srq(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {
    struct srq_request request;
    memcpy(&request, made->request, sizeof request);
    made->ring = (uint8_t *)(uintptr_t)request.ring;
    made->record = (uint8_t *)(uintptr_t)request.shadow;
    made->asked = number_of(call, UVERBS_ATTR_CREATE_SRQ_MAX_WR);
    last_pieces = number_of(call, UVERBS_ATTR_CREATE_SRQ_MAX_SGE);
    struct srq_reply reply = {made->number, elements(made->asked, shift_of(last_pieces), RECEIVE_RESERVE)};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

int driver_method(struct ib_uverbs_ioctl_hdr *call) {
    return call->object_id == UVERBS_OBJECT_MR ? 0 : EOPNOTSUPP;
}

// ---- queues ----------------------------------------------------------------------------------------------------------

// Two fields of the request of a queue pair are of no use.
void driver_hide(struct queue *of) {
    memset(of->request, 0, 2 * sizeof(uint64_t));
    of->request_bytes = 2 * sizeof(uint64_t);
}

static int is_new_format(void) {
    return mode.generation >= 2;
}

// The library reports what it was asked for, and has room for more if that is small.
static void print_capacity(uint32_t entries) {
    printf("  granted %u\n", (mode.generation == 2 ? entries / 2 : entries) - 1);
}

void driver_made_cq(struct object *made) {
    made->entries = made->kernel.asked;
    print_capacity(made->entries);
}

static uint32_t receive_shift(uint32_t pieces) {
    return is_new_format() ? shift_of(pieces) : 2;
}

void driver_made_qp(struct object *made, struct ibv_qp_cap cap) {
    made->blocks = sq_pages * QUANTA_OF_PAGE;
    made->receives = receives_of_ring();
    made->shift = sq_pages * PAGE;
    made->entry_shift = receive_shift(cap.max_recv_sge);
    made->position = mode.kernel_sends;
    // The library reports a receive queue that only the device has.
    uint32_t receives = made->srq ? 0 : cap.max_recv_wr, pieces = made->srq ? 0 : cap.max_recv_sge;
    printf("  granted %u %u %u %u %u asked for %u %u\n", cap.max_send_wr, receives, cap.max_send_sge, pieces,
           cap.max_inline_data, last_cap.max_send_wr, last_cap.max_recv_wr);
}

void driver_made_srq(struct object *made, unsigned most) {
    made->entry_shift = shift_of(most);
    made->entries = elements(made->kernel.asked, made->entry_shift, RECEIVE_RESERVE);
}

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
    } else if (of->kernel.kind == SRQ) {
        printf(" %016llx", (unsigned long long)long_at(of->kernel.record));
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

// What the library leaves as it was beside inline data: it clears nothing ahead of atomic operations.
static void clear_around(uint64_t header, uint8_t *element, int length) {
    int data = header >> 48 & 0xff, behind = data - 8;
    if (!(header >> 47 & 1)) {
        memset(element, 0, 8);
    }
    int last = behind <= 0 ? 8 + data : length - QUANTUM + (behind - 1) % 31 + 1, end = behind <= 0 ? 16 : length - 1;
    memset(element + last, 0, end - last);
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
        uint8_t copy[8 * QUANTUM];
        memcpy(copy, element, quanta * QUANTUM);
        if (is_third() && header >> 57 & 1) {
            clear_around(header, copy, quanta * QUANTUM);
        } else if (is_third() && header >> 47 & 1) {
            memset(copy + 8, 0, 8); // behind immediate data, as left by the lap before
        }
        printf("  wqe %u ", quantum);
        bytes(copy, quanta * QUANTUM);
        qp->position += quanta;
    }
}

void driver_print_received(struct object *qp) {
    uint32_t entry = qp->posted++ % qp->receives;
    printf("  entry %u ", entry);
    bytes(qp->kernel.ring + qp->shift + (entry << qp->entry_shift << QUANTUM_SHIFT), QUANTUM << qp->entry_shift);
}

// What a completion repeats is the library's own.
int driver_print_posted(struct object *srq) {
    uint32_t before = srq->position;
    while (mode.features & SHARES_RECEIVES && srq->position != long_at(srq->kernel.record)) {
        uint8_t element[8 * QUANTUM];
        int length = QUANTUM << srq->entry_shift;
        memcpy(element, srq->kernel.ring + srq->position * length, length);
        memset(element + NAME_AT, 0, sizeof(uint64_t));
        printf("  entry %u ", srq->position);
        bytes(element, length);
        srq->position = (srq->position + 1) % srq->entries;
    }
    return before != srq->position;
}

// ---- the device ------------------------------------------------------------------------------------------------------

void driver_take(struct object *srq) {
    printf("  entry %u\n", next_taken);
    taken[next_taken++ % MOST_TAKEN] = long_at(srq->kernel.ring + (srq->device_entry << srq->entry_shift << QUANTUM_SHIFT) + NAME_AT);
    srq->device_entry = (srq->device_entry + 1) % srq->entries;
}

// A quantum of an entry: of the first, or of the second of an entry that has always two.
static void write_quantum(struct object *cq, int second, const uint64_t words[4]) {
    uint64_t valid = cq->producer / cq->entries & 1 ? 0 : 1ull << 63;
    uint32_t at = cq->producer % cq->entries;
    uint64_t quantum[] = {htole64(words[0]), htole64(words[1]), htole64(words[2]), htole64(words[3] | valid)};
    memcpy(cq->kernel.ring + (is_third() ? 2 * at + second : at) * QUANTUM, quantum, sizeof quantum);
    cq->producer += is_third() ? second : 1;
}

// cqe CQ QP OPERATION QUEUE INDEX MAJOR MINOR BYTES IMMEDIATE|- SOURCE INVALIDATED
void driver_complete(struct object *cq, struct object *qp) {
    uint64_t sent = decimal(4), major = decimal(6), index = decimal(5);
    int extended = strcmp(word[9], "-") != 0;
    int shared = qp->srq && !sent;
    uint64_t element = shared ? 0 : sent ? index : index % qp->receives << qp->entry_shift;
    uint64_t header = decimal(3) << 56 | sent << 62 | element << 32 | (uint64_t)extended << 50 | decimal(11) << 53 |
                      (uint64_t)shared << 52 | (uint64_t)(major != 0) << 55 | major << 16 | decimal(7);
    uint64_t context = (uintptr_t)qp->kernel.record;
    write_quantum(cq, 0, (uint64_t[]){decimal(8), shared ? taken[index % MOST_TAKEN] : context,
                                     (uint64_t)qp->kernel.number << 32 | (uint32_t)hexadecimal(10), header});
    if (extended || is_third()) {
        write_quantum(cq, 1, (uint64_t[]){extended ? (uint32_t)hexadecimal(9) : 0, shared ? context : 0, 0,
                                         (uint64_t)extended << 62});
    }
}

void driver_complete_xrc(struct object *cq, struct object *srq) {}
