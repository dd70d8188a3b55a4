// SPDX-License-Identifier: Apache-2.0
//
// Broadcom's NetXtreme-E: the driver's part of the kernel, and what libbnxt_re writes for the device. All doorbells are stores to
// one place, so each store is caught as it happens.
#include "driver.h"
#include "text.h"
#include "watch.h"

#include <endian.h>
#include <errno.h>
#include <linux/types.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    SLOT = 16,
    STATIC_SLOTS = 8,
    GAP = 128,
    SHARED_ENTRY = 128,
    CQE = 32,
    DATA_SLOT = 2,
    DOORBELLS = 7 * PAGE,
    TOGGLES = 64 * PAGE,
    ADDRESS_AT = 0x10,
    MOST_STORES = 64,
    TYPE_SQ = 0,
    TYPE_SRQ = 2,
    SEND_ENTRY = 0,
    UD_ENTRY = 2,
    TERMINAL = 14,
    CUT_OFF = 15,
    KNOWN_CHIP = 1,
    KNOWN_MODE = 2,
    EXACT = 0x10,
    MSN = 0x40,
    TOGGLE_OBJECT = 0x1002,
    TOGGLE_HANDLE = 0x1000,
    TOGGLE_TYPE,
    TOGGLE_RESOURCE,
    TOGGLE_PAGE,
    TOGGLE_OFFSET,
    TOGGLE_LENGTH,
    INLINE = 0x10,
};

enum { OP_SEND = 0, OP_SEND_IMM = 1, OP_WRITE = 4, OP_WRITE_IMM = 5, OP_READ = 6, OP_CAS = 8, OP_FADD = 11 };

static struct mode {
    const char *name;
    uint32_t chip, generation, variable, exact, msn, toggles, most_completions;
} mode;

static const struct mode MODES[] = {
    {"p4", 0x16d7, 4, 0, 0, 0, 0, 511},
    {"p5", 0x1750, 5, 0, 1, 0, 0, 65535},
    {"p7_fixed", 0x1760, 7, 0, 0, 1, 1, 65535},
    {"p7", 0x1760, 7, 1, 1, 1, 1, 65535},
};

// ---- stores to the doorbell page -------------------------------------------------------------------------------------

static uint8_t *doorbells, *shared_page, *toggle_pages[1 << 20];
static struct store {
    int at;
    uint64_t value;
} stores[MOST_STORES];
static int store_count, ignores, watches = 1;

static void keep(int at) {
    if (ignores) {
        return;
    }
    if (store_count == MOST_STORES) {
        abort();
    }
    stores[store_count].at = at;
    memcpy(&stores[store_count++].value, doorbells + at, sizeof(uint64_t));
}

void *driver_map(size_t length, uint64_t offset, int protection) {
    uint8_t *memory = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (offset == DOORBELLS) {
        doorbells = memory;
        if (watches) {
            watch(doorbells, keep);
        }
    } else if (offset == 0) {
        shared_page = memory;
    } else if (protection == PROT_READ) {
        toggle_pages[(offset - TOGGLES) / PAGE] = memory;
    } else {
        fail("a toggle page that is mapped for writing");
    }
    return memory;
}

void driver_print_stores(void) {
    for (int i = 0; i < store_count; i++) {
        printf("  doorbell %x %016llx\n", stores[i].at, (unsigned long long)le64toh(stores[i].value));
    }
    store_count = 0;
}

void driver_ignore_stores(int from_now_on) {
    ignores = from_now_on;
}

// The index of the last doorbell of that kind for a queue; -1 if there is none.
static int rung(uint32_t type, uint32_t number) {
    int index = -1;
    for (int i = 0; i < store_count; i++) {
        uint64_t value = le64toh(stores[i].value);
        if (value >> 60 == type && (value >> 32 & 0xfffff) == number) {
            index = value & 0xffffff;
        }
    }
    return index;
}

// ---- the kernel ------------------------------------------------------------------------------------------------------

void driver_start(char **arguments) {
    for (size_t i = 0; i < sizeof MODES / sizeof *MODES; i++) {
        if (!strcmp(arguments[0], MODES[i].name)) {
            mode = MODES[i];
        }
    }
    watches = !arguments[1];
}

int driver_is_infiniband(void) {
    return 0;
}

int driver_get_context(struct ib_uverbs_ioctl_hdr *call, const void *request, int bytes) {
    struct {
        uint32_t dev_id, max_qp, pg_size, cqe_sz, max_cqd, rsvd;
        uint64_t comp_mask;
        uint32_t chip_id0, chip_id1, mode, rsvd1;
    } reply = {
        .max_qp = 65536,
        .pg_size = PAGE,
        .cqe_sz = CQE,
        .max_cqd = mode.most_completions,
        .comp_mask = KNOWN_CHIP | KNOWN_MODE | (mode.exact ? EXACT : 0) | (mode.msn ? MSN : 0),
        .chip_id0 = mode.chip | 0x11 << 16,
        .mode = mode.variable,
    };
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
    return 0;
}

void driver_query_device(struct ib_uverbs_ioctl_hdr *call) {}

void driver_alloc_pd(struct ib_uverbs_ioctl_hdr *call) {
    uint32_t reply[] = {9, 3, DOORBELLS, 0};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, reply, sizeof reply);
}

static uint32_t next_address = 1;

void driver_create_ah(struct ib_uverbs_ioctl_hdr *call) {
    uint32_t id = next_address++ * 0x1235;
    memcpy(shared_page + ADDRESS_AT, &id, sizeof id);
}

void driver_create_cq(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {
    memcpy(&made->ring, made->request, sizeof made->ring);
    struct {
        uint32_t cqid, tail, phase, rsvd;
        uint64_t comp_mask;
    } reply = {.cqid = made->number, .phase = 1, .comp_mask = mode.toggles};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

void driver_create_qp(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {
    memcpy(&made->ring, made->request, sizeof made->ring);
    memcpy(&made->record, made->request + 8, sizeof made->record);
    memcpy(&made->user_handle, made->request + 16, sizeof made->user_handle);
    uint32_t reply[] = {made->number, 0};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, reply, sizeof reply);
}

static uint32_t power_of_two(uint32_t number) {
    uint32_t power = 1;
    while (power < number) {
        power <<= 1;
    }
    return power;
}

static uint32_t depth(uint32_t entries) {
    return mode.exact ? entries : power_of_two(entries);
}

void driver_create_srq(struct ib_uverbs_ioctl_hdr *call, struct queue *made) {
    memcpy(&made->ring, made->request, sizeof made->ring);
    int bytes;
    const uint32_t *asked = kernel_input(call, UVERBS_ATTR_CREATE_SRQ_MAX_WR, &bytes);
    made->asked = depth(*asked + 1) - 1;
    kernel_output(call, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, &made->asked, sizeof made->asked);
    struct {
        uint32_t srqid, rsvd;
        uint64_t comp_mask;
    } reply = {.srqid = made->number, .comp_mask = mode.toggles};
    kernel_output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
}

// Where a new toggle page can be mapped.
int driver_method(struct ib_uverbs_ioctl_hdr *call) {
    if (call->object_id != TOGGLE_OBJECT) {
        return EOPNOTSUPP;
    }
    int bytes;
    const uint32_t *resource = kernel_input(call, TOGGLE_RESOURCE, &bytes);
    uint64_t offset = TOGGLES + (uint64_t)*resource * PAGE;
    uint32_t zero = 0, length = PAGE;
    kernel_created(call, TOGGLE_HANDLE);
    kernel_output(call, TOGGLE_PAGE, &offset, sizeof offset);
    kernel_output(call, TOGGLE_OFFSET, &zero, sizeof zero);
    kernel_output(call, TOGGLE_LENGTH, &length, sizeof length);
    return 0;
}

// POLL_CQ tells the kernel that the process is done with the old ring; MODIFY_SRQ sets the limit.
int driver_write(struct ib_uverbs_ioctl_hdr *call, int command) {
    if (command == IB_USER_VERBS_CMD_POLL_CQ) {
        struct ib_uverbs_poll_cq_resp reply = {0};
        kernel_output(call, UVERBS_ATTR_CORE_OUT, &reply, sizeof reply);
        return 0;
    }
    return command == IB_USER_VERBS_CMD_MODIFY_SRQ ? 0 : EOPNOTSUPP;
}

// ---- queues ----------------------------------------------------------------------------------------------------------

static uint32_t align(uint32_t number, uint32_t to) {
    return (number + to - 1) / to * to;
}

// What libbnxt_re leaves as it was on its stack.
void driver_hide(struct queue *of) {
    memset(of->request, 0, of->kind == QP ? 24 : 16);
    if (of->kind == QP) {
        memset(of->request + 24, 0, 8);
        memset(of->request + 36, 0, 4);
        if (!mode.variable) {
            memset(of->request + 32, 0, 4);
        }
    }
}

static uint32_t completions_of(uint32_t asked) {
    uint32_t entries = depth(asked + 1);
    return entries > mode.most_completions + 1 ? mode.most_completions + 1 : entries;
}

void driver_made_cq(struct object *made) {
    made->entries = completions_of(made->kernel.asked);
    // Where it can, the library asks for twice as many, and then tells the device of the half at a time.
    int deferred = 2 * decimal(2) < mode.most_completions;
    printf("  granted %u\n", deferred ? made->entries - made->entries / 2 : made->entries - 1);
}

void driver_made_qp(struct object *made, struct ibv_qp_cap cap) {
    uint32_t sends = depth(cap.max_send_wr + 1 + GAP);
    uint32_t size = 32 + 16 * cap.max_send_sge, data = 32 + align(cap.max_inline_data, SLOT);
    if (cap.max_inline_data) {
        size = align(data > size ? data : size, 32);
    }
    made->blocks = mode.variable ? align(sends * size / SLOT, 256) : sends * STATIC_SLOTS;
    made->entries = mode.variable ? made->blocks : sends;
    made->receives = made->srq ? 0 : depth(cap.max_recv_wr + 1);
    made->shift = mode.variable ? 2 + cap.max_recv_sge : STATIC_SLOTS;
    printf("  granted %u %u %u %u %u\n", sends - GAP - 1, made->srq ? 0 : made->receives - 1, cap.max_send_sge,
           made->srq ? 0 : cap.max_recv_sge, cap.max_inline_data);
}

// The table of packets goes on where it was.
void driver_reset(struct object *qp) {
    qp->posted = 0;
    qp->next_entry = 0;
}

void driver_made_srq(struct object *made, unsigned pieces) {
    made->entries = made->kernel.asked + 1;
}

// The numbers of packets depend on the path.
void driver_to_rts(struct object *qp) {
    uint32_t number = qp->kernel.number, psn = kernel_psn() < 0 ? number * 0x12345 : kernel_psn() + (number & 0x1f);
    struct ibv_qp_attr attributes = {
        .qp_state = IBV_QPS_RTR, .port_num = 1, .path_mtu = 1 + number % 5, .sq_psn = psn & 0xffffff};
    to_state(qp->verbs, IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT);
    if (ibv_modify_qp(qp->verbs, &attributes, IBV_QP_STATE | IBV_QP_PATH_MTU)) {
        fail("not modified");
    }
    attributes.qp_state = IBV_QPS_RTS;
    if (ibv_modify_qp(qp->verbs, &attributes, IBV_QP_STATE | IBV_QP_SQ_PSN)) {
        fail("not modified");
    }
}

// ---- what the device sees --------------------------------------------------------------------------------------------

static uint32_t word_at(const uint8_t *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return le32toh(value);
}

void driver_print_record(struct object *of) {
    printf("  no record\n");
}

void driver_print_doorbell(int page, int at, const uint8_t *stored) {}

// What the library leaves as it was becomes zeros.
static void clear_rest(struct object *qp, uint8_t *element, int length) {
    int opcode = element[0], is_ud = qp->type == IBV_QPT_UD;
    if (opcode == OP_SEND || opcode == OP_WRITE || opcode == OP_READ) {
        memset(element + 4, 0, 4);
    }
    uint8_t *second = element + SLOT;
    switch (opcode) {
    case OP_SEND:
    case OP_SEND_IMM:
        memset(second + (is_ud ? 8 : 0), 0, is_ud ? 8 : SLOT);
        break;
    case OP_FADD:
        memset(second + 8, 0, 8);
        break;
    case OP_CAS:
        break;
    default:
        memset(second + 12, 0, 4);
    }
    int end = DATA_SLOT * SLOT + word_at(element + 8);
    if (element[1] & INLINE && end < length) {
        memset(element + end, 0, length - end);
    }
}

static void print_element(struct object *qp) {
    uint32_t slot = mode.variable ? qp->position : qp->position * STATIC_SLOTS;
    uint8_t element[256 * SLOT];
    int slots = qp->kernel.ring[slot * SLOT + 2];
    for (int i = 0; i < slots; i++) {
        memcpy(element + i * SLOT, qp->kernel.ring + (slot + i) % qp->blocks * SLOT, SLOT);
    }
    clear_rest(qp, element, slots * SLOT);
    printf("  wqe %u ", qp->next_entry);
    bytes(element, slots * SLOT);
    qp->next_entry = (qp->next_entry + 1) % qp->entries;
    int length = mode.msn ? 8 : mode.generation == 4 ? 8 : 16;
    uint32_t at = mode.msn ? qp->producer : qp->position;
    printf("  psn %u ", at);
    bytes(qp->kernel.ring + qp->blocks * SLOT + at * length, length);
    if (qp->type == IBV_QPT_RC) {
        qp->producer = (qp->producer + 1) % (mode.variable ? power_of_two(qp->blocks) / 2 : power_of_two(qp->entries));
    }
    qp->position = mode.variable ? (qp->position + slots) % qp->blocks : (qp->position + 1) % qp->entries;
}

int driver_print_sent(struct object *qp) {
    int index = rung(TYPE_SQ, qp->kernel.number);
    while (index >= 0 && qp->position != index) {
        print_element(qp);
    }
    return index >= 0;
}

static void print_receive(const uint8_t *entry, uint32_t tag, int own) {
    uint8_t copy[64 * SLOT];
    int slots = entry[2];
    memcpy(copy, entry, slots * SLOT);
    if (own && slots == 3 && !word_at(copy + 2 * SLOT + 12)) {
        memset(copy + 2 * SLOT, 0, 12);
    }
    printf("  entry %u ", tag);
    bytes(copy, slots * SLOT);
}

void driver_print_received(struct object *qp) {
    uint32_t entry = qp->posted++ % qp->receives;
    print_receive(qp->kernel.record + entry * qp->shift * SLOT, entry, 1);
}

int driver_print_posted(struct object *srq) {
    int index = rung(TYPE_SRQ, srq->kernel.number);
    while (index >= 0 && srq->position != index) {
        uint8_t *entry = srq->kernel.ring + srq->position * SHARED_ENTRY;
        print_receive(entry, word_at(entry + 8), 0);
        srq->position = (srq->position + 1) % srq->entries;
    }
    return index >= 0;
}

// ---- the device ------------------------------------------------------------------------------------------------------

void driver_take(struct object *srq) {
    printf("  entry %u\n", word_at(srq->kernel.ring + srq->device_entry * SHARED_ENTRY + 8));
    srq->device_entry = (srq->device_entry + 1) % srq->entries;
}

// The last two words of an entry: phase, type, status and flags; a tag and high bits of the source.
static void write_entry(struct object *cq, uint64_t first, uint64_t second, uint64_t third, uint64_t last) {
    uint64_t entry[] = {htole64(first), htole64(second), htole64(third), htole64(last | !(cq->producer / cq->entries & 1))};
    memcpy(cq->kernel.ring + cq->producer++ % cq->entries * CQE, entry, sizeof entry);
    uint8_t *toggle = mode.toggles ? toggle_pages[cq->kernel.number] : NULL;
    if (toggle) {
        *toggle = cq->posted++ & 3;
    }
}

// cqe CQ QP TYPE STATUS INDEX BYTES IMMEDIATE FLAGS SOURCE
void driver_complete(struct object *cq, struct object *qp) {
    uint64_t handle = qp->kernel.user_handle, type = decimal(3), index = decimal(5), source = hexadecimal(9);
    uint64_t last = type << 1 | decimal(4) << 8 | hexadecimal(8) << 16;
    if (type == SEND_ENTRY || type == TERMINAL) {
        write_entry(cq, handle, (index + 1) % qp->entries, 0, last);
        return;
    }
    write_entry(cq, decimal(6) | hexadecimal(7) << 32, handle, type == UD_ENTRY ? source << 48 | 0x1234567890ab : 0,
                last | (uint64_t)(index | source >> 16 << 24) << 32);
}

void driver_complete_xrc(struct object *cq, struct object *srq) {}

int driver_resize_cq(struct ib_uverbs_ioctl_hdr *call, uint32_t handle, uint32_t asked) {
    struct object *cq = find_cq(handle);
    int bytes;
    const uint64_t *request = kernel_input(call, UVERBS_ATTR_UHW_IN, &bytes);
    if (!cq || bytes != sizeof *request) {
        return EINVAL;
    }
    uint64_t toggle = cq->shift++ & 3;
    write_entry(cq, 0, 0, 0, CUT_OFF << 1 | toggle << 5);
    cq->kernel.ring = (uint8_t *)(uintptr_t)*request;
    cq->kernel.asked = asked;
    cq->entries = completions_of(asked);
    cq->producer = 0;
    return 0;
}
