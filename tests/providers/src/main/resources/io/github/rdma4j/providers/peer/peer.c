// SPDX-License-Identifier: Apache-2.0
//
// One end of a connection, by the library of a driver, on a device in another process: see remote.h. The other process says what to do, and does
// the same at the other end: JavaEnd.java. What a message holds follows from its number.
//
// usage: peer FILE ADDRESS < COMMANDS > ANSWERS
#define _GNU_SOURCE
#include "remote.h"

#include <endian.h>
#include <infiniband/verbs.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum command { MAKE = 1, CONNECT, FILL, RECEIVE, SEND, SENT, RECEIVED, VERIFY, ARM, EVENT, END };

enum kind { SENDS, SENDS_IMM, WRITES, WRITES_IMM, READS, ADDS, SWAPS };

static const enum ibv_wr_opcode OPCODES[] = {
    IBV_WR_SEND,      IBV_WR_SEND_WITH_IMM,        IBV_WR_RDMA_WRITE,          IBV_WR_RDMA_WRITE_WITH_IMM,
    IBV_WR_RDMA_READ, IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_WR_ATOMIC_CMP_AND_SWP,
};

static const enum ibv_wc_opcode COMPLETIONS[] = {
    IBV_WC_SEND, IBV_WC_SEND, IBV_WC_RDMA_WRITE, IBV_WC_RDMA_WRITE, IBV_WC_RDMA_READ, IBV_WC_FETCH_ADD, IBV_WC_COMP_SWAP,
};

enum {
    SLOTS = 64,
    SLOT = 256,
    FIRST_PIECE = 100,
    ROUTE_HEADER = 40,
    LONGEST = 200,
    INLINE = 64,
    SIGNALED_EACH = 4,
    QKEY = 0x1ee7,
    GID_INDEX = 3,
    PAGE = 4096,
    SECONDS = 20,
    ACCESS = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC,
};

// What goes out, or comes by a read or an atomic operation; what comes in; and what the other end reads and writes.
enum area { OUT, IN, TARGET, AREAS };

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_comp_channel *channel;
static struct ibv_cq *sends, *receives;
static struct ibv_srq *srq;
static struct ibv_qp *qp;
static struct ibv_ah *ah;
static struct ibv_mr *mr;
static uint8_t *memory;
static uint32_t peer;

// Whether the device takes several pieces of memory for a receive or a read.
static int scatters;

static void check(int good, const char *what) {
    if (!good) {
        fprintf(stderr, "peer: ");
        perror(what);
        exit(1);
    }
}

// ---- messages --------------------------------------------------------------------------------------------------------

static uint32_t hash(uint32_t number) {
    uint32_t mixed = number * 0x9e3779b1u;
    mixed = (mixed ^ mixed >> 16) * 0x85ebca6bu;
    return mixed ^ mixed >> 13;
}

static uint32_t length(enum kind kind, uint32_t number) {
    return kind >= ADDS ? 8 : kind >= WRITES ? hash(number) % LONGEST + 1 : hash(number) % (LONGEST + 1);
}

static uint8_t content(uint32_t number, uint32_t index) {
    return (hash(number) >> index % 4 * 8) + index;
}

static uint64_t word(uint32_t number) {
    return (uint64_t)hash(number) << 32 | number;
}

// An odd number expects what is not there.
static uint64_t expected(uint32_t number) {
    return word(number) + number % 2;
}

static uint8_t *slot(enum area area, uint32_t number) {
    return memory + (area * SLOTS + number % SLOTS) * SLOT;
}

static void write_message(uint8_t *to, enum kind kind, uint32_t number) {
    for (uint32_t i = 0; i < length(kind, number); i++) {
        to[i] = content(number, i);
    }
}

static int is_message(const uint8_t *at, enum kind kind, uint32_t number) {
    for (uint32_t i = 0; i < length(kind, number); i++) {
        if (at[i] != content(number, i)) {
            return 0;
        }
    }
    return 1;
}

static int is_word(const uint8_t *at, uint64_t value) {
    return !memcmp(at, &value, sizeof value);
}

// ---- queues ----------------------------------------------------------------------------------------------------------

static void open_device(void) {
    struct ibv_device **devices = ibv_get_device_list(NULL);
    context = devices && devices[0] ? ibv_open_device(devices[0]) : NULL;
    check(context != NULL, "device");
    pd = ibv_alloc_pd(context);
    channel = ibv_create_comp_channel(context);
    check(pd && channel, "protection domain and channel");
    check(!posix_memalign((void **)&memory, PAGE, AREAS * SLOTS * SLOT), "memory");
    mr = ibv_reg_mr(pd, memory, AREAS * SLOTS * SLOT, ACCESS);
    sends = ibv_create_cq(context, 2 * SLOTS, NULL, NULL, 0);
    receives = ibv_create_cq(context, 2 * SLOTS, NULL, channel, 0);
    check(mr && sends && receives, "memory region and completion queues");
}

static struct message make(enum ibv_qp_type type, int shared) {
    open_device();
    if (shared) {
        struct ibv_srq_init_attr wanted = {.attr = {.max_wr = SLOTS, .max_sge = 2}};
        srq = ibv_create_srq(pd, &wanted);
        check(srq != NULL, "shared receive queue");
    }
    struct ibv_qp_init_attr wanted = {
        .send_cq = sends,
        .recv_cq = receives,
        .srq = srq,
        .qp_type = type,
        .cap = {SLOTS, shared ? 0 : SLOTS, 2, shared ? 0 : 1 + scatters, INLINE},
    };
    qp = ibv_create_qp(pd, &wanted);
    check(qp != NULL, "queue pair");
    return (struct message){{0, qp->qp_num, mr->rkey, (intptr_t)slot(TARGET, 0)}};
}

static struct ibv_ah_attr way(void) {
    struct ibv_ah_attr to = {.is_global = 1, .port_num = 1, .grh = {.sgid_index = GID_INDEX, .hop_limit = 64}};
    check(!ibv_query_gid(context, 1, GID_INDEX, &to.grh.dgid), "GID");
    return to;
}

static void modify(struct ibv_qp_attr attributes, enum ibv_qp_state state, int mask) {
    attributes.qp_state = state;
    check(!ibv_modify_qp(qp, &attributes, IBV_QP_STATE | mask), "modify");
}

static void connect_to(uint32_t number) {
    peer = number;
    int reliable = qp->qp_type == IBV_QPT_RC, datagram = qp->qp_type == IBV_QPT_UD;
    struct ibv_ah_attr to = way();
    struct ibv_qp_attr all = {
        .port_num = 1, .qkey = QKEY, .qp_access_flags = ACCESS, .ah_attr = to, .path_mtu = IBV_MTU_1024, .dest_qp_num = number,
        .max_dest_rd_atomic = 4, .min_rnr_timer = 12, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 4,
    };
    modify(all, IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT | (datagram ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS));
    modify(all, IBV_QPS_RTR,
           (datagram ? 0 : IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN) |
               (reliable ? IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER : 0));
    modify(all, IBV_QPS_RTS,
           IBV_QP_SQ_PSN | (reliable ? IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC : 0));
    if (datagram) {
        ah = ibv_create_ah(pd, &to);
        check(ah != NULL, "address handle");
    }
}

static void end(void) {
    check(!ibv_destroy_qp(qp), "destroy queue pair");
    check(!ah || !ibv_destroy_ah(ah), "destroy address handle");
    check(!srq || !ibv_destroy_srq(srq), "destroy shared receive queue");
    check(!ibv_destroy_cq(sends) && !ibv_destroy_cq(receives), "destroy completion queues");
    check(!ibv_dereg_mr(mr) && !ibv_destroy_comp_channel(channel) && !ibv_dealloc_pd(pd), "destroy the rest");
    check(!ibv_close_device(context), "close");
}

// ---- posting ---------------------------------------------------------------------------------------------------------

static int in_pieces(uint8_t *at, uint32_t first, uint32_t whole, struct ibv_sge *into) {
    into[0] = (struct ibv_sge){(uintptr_t)at, first, mr->lkey};
    into[1] = (struct ibv_sge){(uintptr_t)at + first, whole - first, mr->lkey};
    return 2;
}

static void post_receive(uint32_t number) {
    struct ibv_sge pieces[2];
    struct ibv_recv_wr request = {.wr_id = number, .sg_list = pieces}, *refused;
    request.num_sge = in_pieces(slot(IN, number), scatters ? FIRST_PIECE : SLOT, SLOT, pieces) - !scatters;
    memset(slot(IN, number), 0, SLOT);
    check(!(srq ? ibv_post_srq_recv(srq, &request, &refused) : ibv_post_recv(qp, &request, &refused)), "post receive");
}

// Every fourth request asks for a completion; some are in two pieces, and some of the short ones inline.
static void post_send(enum kind kind, uint32_t number, uint64_t remote, uint32_t key) {
    struct ibv_sge pieces[2];
    uint32_t bytes = length(kind, number);
    int fetches = kind >= READS;
    int in_two = kind < (scatters ? ADDS : READS) && bytes > 1 && hash(number) >> 8 & 1;
    struct ibv_send_wr request = {
        .wr_id = number,
        .sg_list = pieces,
        .opcode = OPCODES[kind],
        .imm_data = htobe32(hash(number)),
        .send_flags = number % SIGNALED_EACH == SIGNALED_EACH - 1 ? IBV_SEND_SIGNALED : 0,
    }, *refused;
    if (!fetches && bytes <= INLINE && hash(number) >> 9 & 1) {
        request.send_flags |= IBV_SEND_INLINE;
    }
    if (fetches) {
        memset(slot(OUT, number), 0, SLOT);
    } else {
        write_message(slot(OUT, number), kind, number);
    }
    request.num_sge = in_pieces(slot(OUT, number), in_two ? bytes / 2 : bytes, bytes, pieces) - !in_two;
    remote += number % SLOTS * SLOT;
    if (ah) {
        request.wr.ud.ah = ah;
        request.wr.ud.remote_qpn = peer;
        request.wr.ud.remote_qkey = QKEY;
    } else if (kind >= ADDS) {
        request.wr.atomic.remote_addr = remote;
        request.wr.atomic.rkey = key;
        request.wr.atomic.compare_add = kind == ADDS ? number : expected(number);
        request.wr.atomic.swap = number;
    } else {
        request.wr.rdma.remote_addr = remote;
        request.wr.rdma.rkey = key;
    }
    check(!ibv_post_send(qp, &request, &refused), "post send");
}

// ---- completions -----------------------------------------------------------------------------------------------------

static struct ibv_wc next_of(struct ibv_cq *cq) {
    struct ibv_wc completion;
    for (time_t limit = time(NULL) + SECONDS; time(NULL) < limit && !remote_gone(); sched_yield()) {
        int polled = ibv_poll_cq(cq, 1, &completion);
        check(polled >= 0, "poll");
        if (polled) {
            return completion;
        }
    }
    check(0, "no completion");
    return completion;
}

static int bad_sent(enum kind kind, uint32_t number) {
    if (number % SIGNALED_EACH == SIGNALED_EACH - 1) {
        struct ibv_wc done = next_of(sends);
        if (done.wr_id != number || done.status || done.opcode != COMPLETIONS[kind] || done.qp_num != qp->qp_num) {
            return 1;
        }
    }
    return 0;
}

// Once the last completion is there.
static int bad_fetched(enum kind kind, uint32_t number) {
    return (kind == READS && !is_message(slot(OUT, number), kind, number)) ||
           (kind >= ADDS && !is_word(slot(OUT, number), word(number)));
}

static int bad_received(enum kind kind, uint32_t number) {
    struct ibv_wc done = next_of(receives);
    int header = qp->qp_type == IBV_QPT_UD ? ROUTE_HEADER : 0, has_number = kind == SENDS_IMM || kind == WRITES_IMM;
    if (done.wr_id != number || done.status || done.byte_len != length(kind, number) + header ||
        done.opcode != (kind == WRITES_IMM ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV)) {
        return 1;
    }
    if (has_number != !!(done.wc_flags & IBV_WC_WITH_IMM) || (has_number && be32toh(done.imm_data) != hash(number))) {
        return 1;
    }
    if (header && (done.src_qp != peer || !(done.wc_flags & IBV_WC_GRH))) {
        return 1;
    }
    return kind <= SENDS_IMM && !is_message(slot(IN, number) + header, kind, number);
}

static void fill(enum kind kind, uint32_t number) {
    uint64_t value = word(number);
    memset(slot(TARGET, number), 0, SLOT);
    if (kind == READS) {
        write_message(slot(TARGET, number), kind, number);
    } else if (kind >= ADDS) {
        memcpy(slot(TARGET, number), &value, sizeof value);
    }
}

static int bad_target(enum kind kind, uint32_t number) {
    switch (kind) {
    case WRITES:
    case WRITES_IMM:
        return !is_message(slot(TARGET, number), kind, number);
    case ADDS:
        return !is_word(slot(TARGET, number), word(number) + number);
    case SWAPS:
        return !is_word(slot(TARGET, number), number % 2 ? word(number) : number);
    default:
        return 0;
    }
}

static void take_event(void) {
    struct ibv_cq *of;
    void *unused;
    check(!ibv_get_cq_event(channel, &of, &unused) && of == receives, "event");
    ibv_ack_cq_events(of, 1);
}

// ---- commands --------------------------------------------------------------------------------------------------------

static int carry_out_each(const int64_t *command) {
    enum kind kind = command[1];
    uint32_t first = command[2], last = first + command[3];
    int bad = 0;
    for (uint32_t number = first; number != last; number++) {
        switch (command[0]) {
        case FILL:
            fill(kind, number);
            break;
        case RECEIVE:
            post_receive(number);
            break;
        case SEND:
            post_send(kind, number, command[4], command[5]);
            break;
        case SENT:
            bad += bad_sent(kind, number);
            break;
        case RECEIVED:
            bad += bad_received(kind, number);
            break;
        case VERIFY:
            bad += bad_target(kind, number);
            break;
        }
    }
    for (uint32_t number = first; command[0] == SENT && number != last; number++) {
        bad += bad_fetched(kind, number);
    }
    return bad;
}

static struct message carry_out(const int64_t *command) {
    switch (command[0]) {
    case MAKE:
        scatters = command[4];
        return make(command[1], command[2]);
    case CONNECT:
        connect_to(command[1]);
        break;
    case ARM:
        check(!ibv_req_notify_cq(receives, 0), "arm");
        break;
    case EVENT:
        take_event();
        break;
    case END:
        end();
        break;
    default:
        return (struct message){{0, carry_out_each(command)}};
    }
    return (struct message){{0}};
}

static void serve(void) {
    struct message message = {{0}};
    int ended = 0;
    while (!ended) {
        message = remote_next(message);
        ended = message.word[0] == END;
        message = carry_out(message.word);
    }
    message.word[0] = 0;
    check(write(STDOUT_FILENO, &message, sizeof message) == sizeof message, "answer");
}

int main(int count, char **arguments) {
    if (count != 3) {
        return 2;
    }
    setenv("MLX5_SHUT_UP_BF", "1", 1);
    setenv("MLX5_SCATTER_TO_CQE", "0", 1);
    remote_run(arguments[1], strtoull(arguments[2], NULL, 16), serve);
    return 0;
}
