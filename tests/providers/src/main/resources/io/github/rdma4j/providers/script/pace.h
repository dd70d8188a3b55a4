// SPDX-License-Identifier: Apache-2.0
//
// What the programs that measure posting and polling have in common: one queue pair with its completion queue, which the
// program makes, the batches that are timed, and the output. Each line of the output is a benchmark and, for each
// iteration, nanoseconds for one operation.
//
// usage of such a program: pace MILLISECONDS ITERATIONS
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 256, MANY = 16, LENGTH = 64, MOST_BATCHES = 1 << 20 };

static struct ibv_cq *cq;
static struct ibv_qp *qp;
static uint8_t data[LENGTH];
static struct ibv_sge piece;
static struct ibv_send_wr chain[MANY], single, in_line;

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
        check(ibv_poll_cq(cq, most, completions) == most && !completions[0].status && completions[0].wr_id == 1, "poll");
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

static void nothing(void) {}

// ---- measuring -------------------------------------------------------------------------------------------------------

struct benchmark {
    const char *name;
    void (*before)(void), (*timed)(void), (*after)(void);
};

static int ascending(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

// The median of the batches: whatever else the machine does meanwhile lies in few of them.
static double iteration(const struct benchmark *benchmark, int64_t nanoseconds) {
    static int64_t batches[MOST_BATCHES];
    int count = 0;
    for (int64_t end = now() + nanoseconds; count == 0 || (count < MOST_BATCHES && now() < end); count++) {
        benchmark->before();
        int64_t start = now();
        benchmark->timed();
        batches[count] = now() - start;
        benchmark->after();
    }
    qsort(batches, count, sizeof *batches, ascending);
    return (double)batches[count / 2] / BATCH;
}

static void measure(const struct benchmark *benchmarks, int count, char **arguments) {
    int64_t nanoseconds = atoll(arguments[1]) * 1000000;
    for (int i = 0; i < count; i++) {
        iteration(&benchmarks[i], nanoseconds);
        printf("%s", benchmarks[i].name);
        for (int j = 0; j < atoi(arguments[2]); j++) {
            printf(" %.3f", iteration(&benchmarks[i], nanoseconds));
        }
        printf("\n");
        fflush(stdout);
    }
}

// ---- objects ---------------------------------------------------------------------------------------------------------

static struct ibv_context *open_device(void) {
    struct ibv_device **devices = ibv_get_device_list(NULL);
    struct ibv_context *context = devices && devices[0] ? ibv_open_device(devices[0]) : NULL;
    check(context != NULL, "device");
    return context;
}

// Returns what was granted.
static struct ibv_qp_cap make_queue_pair(struct ibv_pd *pd) {
    struct ibv_qp_init_attr wanted = {
        .send_cq = cq,
        .recv_cq = cq,
        .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = BATCH, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = LENGTH},
    };
    qp = ibv_create_qp(pd, &wanted);
    check(qp != NULL, "queue pair");
    return wanted.cap;
}

static void make_requests(uint32_t key) {
    piece = (struct ibv_sge){.addr = (uintptr_t)data, .length = LENGTH, .lkey = key};
    single = (struct ibv_send_wr){
        .wr_id = 1, .sg_list = &piece, .num_sge = 1, .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED};
    in_line = single;
    in_line.send_flags |= IBV_SEND_INLINE;
    for (int i = 0; i < MANY; i++) {
        chain[i] = single;
        chain[i].next = i + 1 < MANY ? &chain[i + 1] : NULL;
    }
}
