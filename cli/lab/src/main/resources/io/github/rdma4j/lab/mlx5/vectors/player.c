// SPDX-License-Identifier: Apache-2.0
//
// Plays a script of verbs on libmlx5 over the kernel of kernel.c and writes down what a device would see.
//
// usage: player roce|infiniband CQE-VERSION < SCRIPT
//
// The output is the script, and below each line, two columns further right, what came of it. Mlx5Player.java does the same.
#define _GNU_SOURCE
#include "kernel.h"

#include <endian.h>
#include <fcntl.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    MOST_OBJECTS = 64,
    MOST_WORDS = 64,
    MOST_PIECES = 32,
    MOST_CHAIN = 64,
    MOST_COMPLETIONS = 64,
    LINE = 4096,
    PAGE = 4096,
    UNIT = 16,
    BLOCK = 64,
    WQE = 1024,
    UNTOUCHED = 0xee,
    DATA_BYTES = 1 << 20,
};

// What the pieces of requests are offsets in.
#define DATA ((uint8_t *)0x200000000000)

struct object {
    char name[16];
    void *verbs;
    struct queue kernel;
    enum ibv_qp_type type;
    struct object *srq;
    uint32_t blocks, receives, shift, position;
    uint32_t entries, entry_shift, device_entry, next_entry, posted, producer;
};

static struct object objects[MOST_OBJECTS];
static struct mode mode;
static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_comp_channel *channel;
static struct ibv_xrcd *xrcd;
static char *word[MOST_WORDS];
static struct ibv_send_wr chain[MOST_CHAIN];
static struct ibv_sge chain_pieces[MOST_CHAIN][MOST_PIECES];
static int chained;

static void fail(const char *what) {
    fprintf(stderr, "player: %s: ", what);
    perror(word[0]);
    exit(1);
}

static struct object *find(const char *name) {
    for (int i = 0; i < MOST_OBJECTS; i++) {
        if (objects[i].verbs && !strcmp(objects[i].name, name)) {
            return &objects[i];
        }
    }
    return NULL;
}

static struct object *add(const char *name, void *verbs) {
    if (!verbs) {
        fail("not made");
    }
    for (int i = 0; i < MOST_OBJECTS; i++) {
        if (!objects[i].verbs) {
            objects[i] = (struct object){.verbs = verbs};
            strncpy(objects[i].name, name, sizeof objects[i].name - 1);
            return &objects[i];
        }
    }
    fail("too many objects");
    return NULL;
}

static unsigned long long decimal(int index) {
    return strtoull(word[index], NULL, 10);
}

static unsigned long long hexadecimal(int index) {
    return strtoull(word[index], NULL, 16);
}

// ---- what the device sees --------------------------------------------------------------------------------------------

static void bytes(const uint8_t *from, int count) {
    for (int i = 0; i < count; i++) {
        printf("%s%02x", i && i % 4 == 0 ? " " : "", from[i]);
    }
    printf("\n");
}

static uint32_t record(struct object *of, int index) {
    return be32toh(((uint32_t *)of->kernel.record)[index]);
}

static void print_record(struct object *of) {
    printf("  record %x %x\n", record(of, 0), record(of, 1));
}

static void clear_doorbells(void) {
    for (int i = 0; i < kernel_pages(); i++) {
        memset(kernel_page(i), UNTOUCHED, PAGE);
    }
}

static void print_doorbells(void) {
    uint64_t untouched;
    memset(&untouched, UNTOUCHED, sizeof untouched);
    for (int i = 0; i < kernel_pages(); i++) {
        for (int at = 0; at < PAGE; at += sizeof untouched) {
            uint64_t value;
            memcpy(&value, kernel_page(i) + at, sizeof value);
            if (value != untouched) {
                printf("  doorbell %x %016llx\n", at, (unsigned long long)be64toh(value));
            }
        }
    }
    clear_doorbells();
}

// The addresses and the number of the doorbell page are the process's own.
static void print_request(struct queue *of, int page_id_at, int page_id_bytes) {
    memset(of->request, 0, 2 * sizeof(uint64_t));
    if (page_id_bytes) {
        memset(of->request + page_id_at, 0, page_id_bytes);
    }
    printf("  request ");
    bytes(of->request, of->request_bytes);
}

static uint32_t field(struct queue *of, int at) {
    uint32_t value;
    memcpy(&value, of->request + at, sizeof value);
    return value;
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

// Prints the entries of a shared receive queue that the device has been told of since the last call; returns their number.
static int print_posted(struct object *srq) {
    int posted = 0;
    for (; (srq->posted & 0xffff) != record(srq, 0); srq->posted++, posted++) {
        uint32_t entry = srq->next_entry;
        print_entry(srq->kernel.ring + (entry << srq->entry_shift) + UNIT, (1 << srq->entry_shift) - UNIT, entry);
        srq->next_entry = next_of(srq, entry);
    }
    return posted;
}

// ---- objects ---------------------------------------------------------------------------------------------------------

// cq NAME ENTRIES
static void make_cq(void) {
    struct object *cq = add(word[1], ibv_create_cq(context, decimal(2), NULL, channel, 0));
    cq->kernel = *kernel_last(CQ);
    cq->entries = ((struct ibv_cq *)cq->verbs)->cqe + 1;
    printf("  granted %d\n", cq->entries - 1);
    print_request(&cq->kernel, 24, 2);
    print_record(cq);
    printf("  entry 0 ");
    bytes(cq->kernel.ring, BLOCK);
}

static void to_state(struct ibv_qp *qp, enum ibv_qp_state state, int also) {
    struct ibv_qp_attr attributes = {.qp_state = state, .port_num = 1};
    if (ibv_modify_qp(qp, &attributes, IBV_QP_STATE | also)) {
        fail("not modified");
    }
}

static void to_rts(struct object *qp) {
    int of_type = qp->type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS;
    to_state(qp->verbs, IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT | of_type);
    to_state(qp->verbs, IBV_QPS_RTR, 0);
    to_state(qp->verbs, IBV_QPS_RTS, 0);
}

// qp NAME rc|uc|ud|xrc SEND-CQ RECEIVE-CQ|- SRQ|- SEND-WR RECEIVE-WR SEND-SGE RECEIVE-SGE INLINE SIGNAL-ALL
static enum ibv_qp_type type_of(const char *name) {
    return !strcmp(name, "rc")   ? IBV_QPT_RC
           : !strcmp(name, "uc") ? IBV_QPT_UC
           : !strcmp(name, "ud") ? IBV_QPT_UD
                                 : IBV_QPT_XRC_SEND;
}

static void make_qp(void) {
    struct object *receives = find(word[4]), *srq = find(word[5]);
    enum ibv_qp_type type = type_of(word[2]);
    struct ibv_qp_init_attr wanted = {
        .send_cq = find(word[3])->verbs,
        .recv_cq = receives ? receives->verbs : NULL,
        .srq = srq ? srq->verbs : NULL,
        .qp_type = type,
        .sq_sig_all = decimal(11),
        .cap = {decimal(6), decimal(7), decimal(8), decimal(9), decimal(10)},
    };
    struct object *qp = add(word[1], ibv_create_qp(pd, &wanted));
    qp->kernel = *kernel_last(QP);
    qp->type = type;
    qp->srq = srq;
    qp->blocks = field(&qp->kernel, 16);
    qp->receives = field(&qp->kernel, 20);
    qp->shift = field(&qp->kernel, 24);
    struct ibv_qp_cap cap = wanted.cap;
    printf("  granted %u %u %u %u %u\n", cap.max_send_wr, srq || !receives ? 0 : cap.max_recv_wr, cap.max_send_sge,
           srq || !receives ? 0 : cap.max_recv_sge, cap.max_inline_data);
    print_request(&qp->kernel, 36, 4);
    print_record(qp);
    to_rts(qp);
}

// xsrq NAME CQ WR SGE: a shared receive queue of an XRC domain
static void make_xsrq(void) {
    if (!xrcd) {
        struct ibv_xrcd_init_attr alone = {
            .comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS, .fd = -1, .oflags = O_CREAT};
        xrcd = ibv_open_xrcd(context, &alone);
    }
    struct ibv_srq_init_attr_ex wanted = {
        .attr = {.max_wr = decimal(3), .max_sge = decimal(4)},
        .comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ,
        .srq_type = IBV_SRQT_XRC,
        .pd = pd,
        .xrcd = xrcd,
        .cq = find(word[2])->verbs,
    };
    struct object *srq = add(word[1], ibv_create_srq_ex(context, &wanted));
    srq->kernel = *kernel_last(SRQ);
    uint32_t entry = 32, number;
    for (srq->entry_shift = 5; entry < 16 + 16 * decimal(4); entry <<= 1) {
        srq->entry_shift++;
    }
    if (ibv_get_srq_num(srq->verbs, &number)) {
        fail("no number");
    }
    printf("  granted %u of %u, asked for %u\n", wanted.attr.max_wr, wanted.attr.max_sge, srq->kernel.asked);
    printf("  number %x\n", number);
    print_request(&srq->kernel, 0, 0);
    printf("  record %x\n", record(srq, 0));
}

// srq NAME WR SGE
static void make_srq(void) {
    struct ibv_srq_init_attr wanted = {.attr = {.max_wr = decimal(2), .max_sge = decimal(3)}};
    struct object *srq = add(word[1], ibv_create_srq(pd, &wanted));
    srq->kernel = *kernel_last(SRQ);
    uint32_t entry = 32;
    for (srq->entry_shift = 5; entry < 16 + 16 * decimal(3); entry <<= 1) {
        srq->entry_shift++;
    }
    printf("  granted %u of %u, asked for %u\n", wanted.attr.max_wr, wanted.attr.max_sge, srq->kernel.asked);
    print_request(&srq->kernel, 0, 0);
    printf("  record %x\n", record(srq, 0));
}

// ah NAME SL RATE GLOBAL SGID-INDEX HOP-LIMIT CLASS FLOW-LABEL DLID PATH-BITS PREFIX INTERFACE
static void make_ah(void) {
    struct ibv_ah_attr to = {
        .sl = decimal(2), .static_rate = decimal(3), .is_global = decimal(4), .port_num = 1,
        .dlid = decimal(9), .src_path_bits = decimal(10),
        .grh = {.sgid_index = decimal(5), .hop_limit = decimal(6), .traffic_class = decimal(7), .flow_label = decimal(8)},
    };
    to.grh.dgid.global.subnet_prefix = htobe64(hexadecimal(11));
    to.grh.dgid.global.interface_id = htobe64(hexadecimal(12));
    add(word[1], ibv_create_ah(pd, &to));
}

// ---- posting ---------------------------------------------------------------------------------------------------------

// Pieces are OFFSET:LENGTH:KEY.
static int pieces(int first, struct ibv_sge *into) {
    int count = 0;
    for (; word[first + count]; count++) {
        unsigned long offset;
        unsigned length, key;
        if (sscanf(word[first + count], "%lu:%u:%x", &offset, &length, &key) != 3) {
            fail("no piece");
        }
        into[count] = (struct ibv_sge){(uintptr_t)DATA + offset, length, key};
    }
    return count;
}

static enum ibv_wr_opcode opcode(const char *name) {
    static const char *const NAMES[] = {"write", "write_imm", "send", "send_imm", "read", "cas", "fadd"};
    for (int i = 0; i < (int)(sizeof NAMES / sizeof *NAMES); i++) {
        if (!strcmp(name, NAMES[i])) {
            return (enum ibv_wr_opcode)i;
        }
    }
    fail("no operation");
    return 0;
}

static int flags(const char *letters) {
    return (strchr(letters, 's') ? IBV_SEND_SIGNALED : 0) | (strchr(letters, 'f') ? IBV_SEND_FENCE : 0) |
           (strchr(letters, 'o') ? IBV_SEND_SOLICITED : 0) | (strchr(letters, 'i') ? IBV_SEND_INLINE : 0);
}

static void post_chain(struct object *qp) {
    for (int i = 0; i + 1 < chained; i++) {
        chain[i].next = &chain[i + 1];
    }
    struct ibv_send_wr *refused = NULL;
    uint32_t before = qp->position;
    int error = ibv_post_send(qp->verbs, chain, &refused);
    printf("  posted %d of %d\n", error ? (int)(refused - chain) : chained, chained);
    chained = 0;
    while ((qp->position & 0xffff) != record(qp, 1)) {
        qp->position += print_wqe(qp, qp->position);
    }
    if (before != qp->position) {
        print_record(qp);
    }
    print_doorbells();
}

// send|chain QP ID OPERATION FLAGS IMMEDIATE REMOTE KEY COMPARE-ADD SWAP AH|- QPN|SRQN QKEY PIECE...
static void post_send(int last) {
    struct object *qp = find(word[1]);
    struct ibv_send_wr *request = &chain[chained];
    *request = (struct ibv_send_wr){
        .wr_id = decimal(2),
        .opcode = opcode(word[3]),
        .send_flags = flags(word[4]),
        .imm_data = htobe32(hexadecimal(5)),
        .sg_list = chain_pieces[chained],
        .num_sge = pieces(13, chain_pieces[chained]),
    };
    chained++;
    struct object *ah = find(word[10]);
    if (qp->type == IBV_QPT_XRC_SEND) {
        request->qp_type.xrc.remote_srqn = hexadecimal(11);
    }
    if (ah) {
        request->wr.ud.ah = ah->verbs;
        request->wr.ud.remote_qpn = hexadecimal(11);
        request->wr.ud.remote_qkey = hexadecimal(12);
    } else if (request->opcode == IBV_WR_ATOMIC_CMP_AND_SWP || request->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
        request->wr.atomic.remote_addr = hexadecimal(6);
        request->wr.atomic.rkey = hexadecimal(7);
        request->wr.atomic.compare_add = hexadecimal(8);
        request->wr.atomic.swap = hexadecimal(9);
    } else {
        request->wr.rdma.remote_addr = hexadecimal(6);
        request->wr.rdma.rkey = hexadecimal(7);
    }
    if (last) {
        post_chain(qp);
    }
}

// recv QP|SRQ ID PIECE...
static void post_receive(void) {
    struct object *to = find(word[1]);
    struct ibv_sge list[MOST_PIECES];
    struct ibv_recv_wr request = {.wr_id = decimal(2), .sg_list = list, .num_sge = pieces(3, list)}, *refused;
    int shared = to->kernel.kind == SRQ;
    if (shared ? ibv_post_srq_recv(to->verbs, &request, &refused) : ibv_post_recv(to->verbs, &request, &refused)) {
        printf("  full\n");
        return;
    }
    if (shared) {
        print_posted(to);
        printf("  record %x\n", record(to, 0));
    } else {
        uint32_t entry = (record(to, 0) - 1) % to->receives;
        print_entry(to->kernel.ring + (entry << to->shift), 1 << to->shift, entry);
        print_record(to);
    }
}

// ---- the device ------------------------------------------------------------------------------------------------------

// take SRQ: the device takes the next entry
static void take(void) {
    struct object *srq = find(word[1]);
    printf("  entry %u\n", srq->device_entry);
    srq->device_entry = next_of(srq, srq->device_entry);
}

// cqe CQ QP OPCODE COUNTER WQE-OPCODE BYTES IMMEDIATE SOURCE SYNDROME VENDOR
static void complete(void) {
    struct object *cq = find(word[1]), *qp = find(word[2]);
    // The number of a shared receive queue is in the entries of receives only.
    int sent = decimal(3) == MLX5_CQE_REQ || decimal(3) == MLX5_CQE_REQ_ERR;
    uint32_t srqn = qp->srq && !sent ? qp->srq->kernel.number : 0;
    struct mlx5_cqe64 entry = {
        .srqn_uidx = htobe32(mode.cqe_version ? field(&qp->kernel, 32) : srqn),
        .imm_inval_pkey = htobe32(hexadecimal(7)),
        .byte_cnt = htobe32(decimal(6)),
        .flags_rqpn = htobe32(hexadecimal(8)),
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
static void complete_xrc(void) {
    struct object *cq = find(word[1]), *srq = find(word[2]);
    struct mlx5_cqe64 entry = {
        .srqn_uidx = htobe32(mode.cqe_version ? field(&srq->kernel, 24) : srq->kernel.number),
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

// ---- completions -----------------------------------------------------------------------------------------------------

// Only what means something: libmlx5 fills the rest with what happens to be in the entry.
static void print_completion(struct ibv_wc *wc) {
    int receive = wc->opcode & IBV_WC_RECV;
    printf("  completion %lu status %d", wc->wr_id, wc->status);
    if (wc->status) {
        printf(" qp %x vendor %x\n", wc->qp_num, wc->vendor_err);
        return;
    }
    printf(" qp %x opcode %d", wc->qp_num, wc->opcode);
    if (receive || wc->opcode >= IBV_WC_RDMA_READ) {
        printf(" bytes %u", wc->byte_len);
    }
    struct object *qp = NULL;
    for (int i = 0; i < MOST_OBJECTS; i++) {
        if (objects[i].verbs && objects[i].kernel.kind == QP && objects[i].kernel.number == wc->qp_num) {
            qp = &objects[i];
        }
    }
    if (receive && wc->wc_flags & IBV_WC_WITH_IMM) {
        printf(" imm %08x", be32toh(wc->imm_data));
    }
    if (receive && qp && qp->type == IBV_QPT_UD) {
        printf(" grh %d from %x", wc->wc_flags & IBV_WC_GRH, wc->src_qp);
        if (!(wc->wc_flags & IBV_WC_WITH_IMM)) {
            printf(" pkey %u", wc->pkey_index);
        }
    }
    printf("\n");
}

// A receive whose page the device did not find is posted again when its completion queue is polled.
static void print_posted_again(void) {
    for (int i = 0; i < MOST_OBJECTS; i++) {
        if (objects[i].verbs && objects[i].kernel.kind == SRQ && print_posted(&objects[i])) {
            printf("  %s  record %x\n", objects[i].name, record(&objects[i], 0));
        }
    }
}

// poll CQ MOST
static void poll_cq(void) {
    struct object *cq = find(word[1]);
    struct ibv_wc completions[MOST_COMPLETIONS];
    int polled = ibv_poll_cq(cq->verbs, decimal(2), completions);
    printf("  polled %d\n", polled);
    for (int i = 0; i < polled; i++) {
        print_completion(&completions[i]);
    }
    print_record(cq);
    print_posted_again();
}

// arm CQ all|solicited
static void arm(void) {
    struct object *cq = find(word[1]);
    if (ibv_req_notify_cq(cq->verbs, !strcmp(word[2], "solicited"))) {
        fail("not armed");
    }
    print_record(cq);
    print_doorbells();
}

// event CQ: the kernel sends one, and the program takes it
static void event(void) {
    struct object *cq = find(word[1]);
    struct ib_uverbs_comp_event_desc {
        uint64_t cq_handle;
    } sent = {cq->kernel.user_handle};
    struct ibv_cq *from;
    void *unused;
    if (write(cq->kernel.channel, &sent, sizeof sent) != sizeof sent || ibv_get_cq_event(channel, &from, &unused)) {
        fail("no event");
    }
    ibv_ack_cq_events(from, 1);
}

static void print_records_of_cqs(void) {
    for (int i = 0; i < MOST_OBJECTS; i++) {
        if (objects[i].verbs && objects[i].kernel.kind == CQ) {
            printf("  %s", objects[i].name);
            print_record(&objects[i]);
        }
    }
}

// reset QP
static void reset(void) {
    struct object *qp = find(word[1]);
    to_state(qp->verbs, IBV_QPS_RESET, 0);
    qp->position = 0;
    print_record(qp);
    print_records_of_cqs();
    to_rts(qp);
}

// destroy QP
static void destroy(void) {
    struct object *qp = find(word[1]);
    if (ibv_destroy_qp(qp->verbs)) {
        fail("not destroyed");
    }
    qp->verbs = NULL;
    print_records_of_cqs();
}

static void play(void) {
    static const struct {
        const char *name;
        void (*action)(void);
    } ACTIONS[] = {
        {"cq", make_cq},   {"qp", make_qp},     {"srq", make_srq}, {"ah", make_ah},   {"recv", post_receive}, {"take", take},
        {"xsrq", make_xsrq}, {"xcqe", complete_xrc},
        {"cqe", complete}, {"poll", poll_cq},   {"arm", arm},      {"event", event},  {"reset", reset},       {"destroy", destroy},
    };
    if (!strcmp(word[0], "send") || !strcmp(word[0], "chain")) {
        post_send(!strcmp(word[0], "send"));
        return;
    }
    for (int i = 0; i < (int)(sizeof ACTIONS / sizeof *ACTIONS); i++) {
        if (!strcmp(word[0], ACTIONS[i].name)) {
            ACTIONS[i].action();
            return;
        }
    }
    fail("no such line");
}

static void open_device(void) {
    struct ibv_device **devices = ibv_get_device_list(NULL);
    context = devices && devices[0] ? ibv_open_device(devices[0]) : NULL;
    pd = context ? ibv_alloc_pd(context) : NULL;
    channel = context ? ibv_create_comp_channel(context) : NULL;
    if (!pd || !channel) {
        word[0] = "device";
        fail("libibverbs does not open it (is the Debian package ibverbs-providers installed?)");
    }
    int length;
    const uint8_t *request = kernel_context(&length);
    printf("context ");
    bytes(request, length);
}

static void make_data(void) {
    if (mmap(DATA, DATA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != DATA) {
        word[0] = "data";
        fail("not mapped");
    }
    for (int i = 0; i < DATA_BYTES; i++) {
        DATA[i] = i * 31 + (i >> 8);
    }
}

int main(int count, char **arguments) {
    if (count != 3) {
        return 2;
    }
    mode.link = !strcmp(arguments[1], "roce") ? ROCE : INFINIBAND;
    mode.cqe_version = atoi(arguments[2]);
    setenv("MLX5_SHUT_UP_BF", "1", 1);
    setenv("MLX5_SCATTER_TO_CQE", "0", 1);
    kernel_start(mode);
    open_device();
    make_data();
    clear_doorbells();
    char line[LINE];
    while (fgets(line, sizeof line, stdin)) {
        fputs(line, stdout);
        int words = 0;
        for (char *at = strtok(line, " \n"); at && words < MOST_WORDS - 1; at = strtok(NULL, " \n")) {
            word[words++] = at;
        }
        word[words] = NULL;
        if (words && word[0][0] != '#') {
            play();
        }
    }
    // What could not be written would look like a difference.
    if (fflush(stdout) || ferror(stdout)) {
        word[0] = "output";
        fail("not written");
    }
    return 0;
}
