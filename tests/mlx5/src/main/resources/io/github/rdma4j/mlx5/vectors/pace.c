// SPDX-License-Identifier: Apache-2.0
//
// Measures posting and polling of libmlx5 over the kernel of kernel.c. Mlx5Pace.java does the same in Java.
//
// usage: pace MILLISECONDS ITERATIONS
//
// Each line of the output is a benchmark and, for each iteration, nanoseconds for one work request, completion or empty poll.
// Between the batches that are timed the program fills or drains the rings as a device would.
#define _GNU_SOURCE
#include "kernel.h"

#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 256, MANY = 16, LENGTH = 64, BLOCK = 64, ENTRIES = 2 * BATCH, KEY = 0x1234, MOST_BATCHES = 1 << 20 };

static struct ibv_cq *cq;
static struct ibv_qp *qp;
static struct queue kernel_cq, kernel_qp;
static uint8_t data[LENGTH];
static struct ibv_sge piece = {.length = LENGTH, .lkey = KEY};
static struct ibv_send_wr chain[MANY], single, in_line;
static uint32_t producer, position;

static void check(int good, const char *what) {
    if (!good) {
        fprintf(stderr, "pace: ");
        perror(what);
        exit(1);
    }
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// ---- what is timed: each does BATCH operations -----------------------------------------------------------------------

static void post_all(struct ibv_send_wr *request, int calls) {
    struct ibv_send_wr *refused;
    for (int i = 0; i < calls; i++) {
        check(!ibv_post_send(qp, request, &refused), "post");
    }
}

static void post(void) {
    post_all(&single, BATCH);
}

static void post_many(void) {
    post_all(chain, BATCH / MANY);
}

static void post_inline(void) {
    post_all(&in_line, BATCH);
}

static void poll_all(int most) {
    struct ibv_wc completions[MANY];
    for (int polled = 0; polled < BATCH; polled += most) {
        check(ibv_poll_cq(cq, most, completions) == most && !completions[0].status, "poll");
    }
}

static void poll_single(void) {
    poll_all(1);
}

static void poll_many(void) {
    poll_all(MANY);
}

static void poll_empty(void) {
    struct ibv_wc completion;
    for (int i = 0; i < BATCH; i++) {
        check(!ibv_poll_cq(cq, 1, &completion), "empty poll");
    }
}

// ---- what is not -----------------------------------------------------------------------------------------------------

// The device: BATCH requests of `blocks` blocks have been sent.
static void complete(int blocks) {
    struct mlx5_cqe64 entry = {
        .srqn_uidx = htobe32(*(uint32_t *)(kernel_qp.request + 32)),
        .sop_drop_qpn = htobe32(MLX5_OPCODE_SEND << 24 | kernel_qp.number),
    };
    for (int i = 0; i < BATCH; i++, position += blocks) {
        entry.wqe_counter = htobe16(position);
        entry.op_own = MLX5_CQE_REQ << 4 | !!(producer & ENTRIES);
        memcpy(kernel_cq.ring + producer++ % ENTRIES * BLOCK, &entry, sizeof entry);
    }
}

static void nothing(void) {}

static void drain(void) {
    complete(1);
    poll_many();
}

// A request with its data inline has 16 bytes of control, 4 of length and 64 of data.
static void drain_inline(void) {
    complete(2);
    poll_many();
}

static void fill(void) {
    post_many();
    complete(1);
}

static const struct {
    const char *name;
    void (*before)(void), (*timed)(void), (*after)(void);
} BENCHMARKS[] = {
    {"post", nothing, post, drain},
    {"post_16", nothing, post_many, drain},
    {"post_inline", nothing, post_inline, drain_inline},
    {"poll", fill, poll_single, nothing},
    {"poll_16", fill, poll_many, nothing},
    {"poll_empty", nothing, poll_empty, nothing},
};

static int ascending(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

// The median of the batches: whatever else the machine does meanwhile lies in few of them.
static double iteration(int benchmark, int64_t nanoseconds) {
    static int64_t batches[MOST_BATCHES];
    int count = 0;
    for (int64_t end = now() + nanoseconds; count < MOST_BATCHES && now() < end; count++) {
        BENCHMARKS[benchmark].before();
        int64_t start = now();
        BENCHMARKS[benchmark].timed();
        batches[count] = now() - start;
        BENCHMARKS[benchmark].after();
    }
    qsort(batches, count, sizeof *batches, ascending);
    return (double)batches[count / 2] / BATCH;
}

// ---- queues ----------------------------------------------------------------------------------------------------------

static void to_state(enum ibv_qp_state state, int also) {
    struct ibv_qp_attr attributes = {.qp_state = state, .port_num = 1};
    check(!ibv_modify_qp(qp, &attributes, IBV_QP_STATE | also), "modify");
}

static void make_queues(void) {
    struct ibv_device **devices = ibv_get_device_list(NULL);
    struct ibv_context *context = devices && devices[0] ? ibv_open_device(devices[0]) : NULL;
    struct ibv_pd *pd = context ? ibv_alloc_pd(context) : NULL;
    check(pd != NULL, "device");
    cq = ibv_create_cq(context, ENTRIES - 1, NULL, NULL, 0);
    check(cq && cq->cqe == ENTRIES - 1, "completion queue");
    struct ibv_qp_init_attr wanted = {
        .send_cq = cq,
        .recv_cq = cq,
        .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = BATCH, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = LENGTH},
    };
    qp = ibv_create_qp(pd, &wanted);
    check(qp != NULL, "queue pair");
    kernel_cq = *kernel_last(CQ);
    kernel_qp = *kernel_last(QP);
    to_state(IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    to_state(IBV_QPS_RTR, 0);
    to_state(IBV_QPS_RTS, 0);
}

static void make_requests(void) {
    piece.addr = (uintptr_t)data;
    single = (struct ibv_send_wr){
        .wr_id = 1, .sg_list = &piece, .num_sge = 1, .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED};
    in_line = single;
    in_line.send_flags |= IBV_SEND_INLINE;
    for (int i = 0; i < MANY; i++) {
        chain[i] = single;
        chain[i].next = i + 1 < MANY ? &chain[i + 1] : NULL;
    }
}

int main(int count, char **arguments) {
    if (count != 3) {
        return 2;
    }
    setenv("MLX5_SHUT_UP_BF", "1", 1);
    setenv("MLX5_SCATTER_TO_CQE", "0", 1);
    kernel_start((struct mode){.link = ROCE, .dynamic_uars = 1, .cqe_version = 1});
    make_queues();
    make_requests();
    int64_t nanoseconds = atoll(arguments[1]) * 1000000;
    for (int i = 0; i < (int)(sizeof BENCHMARKS / sizeof *BENCHMARKS); i++) {
        iteration(i, nanoseconds);
        printf("%s", BENCHMARKS[i].name);
        for (int j = 0; j < atoi(arguments[2]); j++) {
            printf(" %.3f", iteration(i, nanoseconds));
        }
        printf("\n");
        fflush(stdout);
    }
    return 0;
}
