// SPDX-License-Identifier: Apache-2.0
//
// Measures posting and polling of librxe and commands of librdmacm over the kernel of kernel.c. CostPace.java does the same in
// Java.
//
// usage: pace MILLISECONDS ITERATIONS
//
// Each line of the output is a benchmark and, for each iteration, nanoseconds for one work request, completion, empty poll or
// command. Between the batches that are timed the device sends what was posted.
#define _GNU_SOURCE
#include "kernel.h"

#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <rdma/rdma_cma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 256, MANY = 16, LENGTH = 64, TOS = 8, MOST_BATCHES = 1 << 20 };

static struct ibv_cq *cq;
static struct ibv_qp *qp;
static struct rdma_event_channel *channel;
static struct rdma_cm_id *id;
static uint8_t data[LENGTH];
static struct ibv_sge piece = {.length = LENGTH};
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

static void set_option(void) {
    uint8_t tos = TOS;
    for (int i = 0; i < BATCH; i++) {
        check(!rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &tos, sizeof tos), "set option");
    }
}

static void init_qp_attr(void) {
    for (int i = 0; i < BATCH; i++) {
        struct ibv_qp_attr attributes = {.qp_state = IBV_QPS_RTR};
        int mask;
        check(!rdma_init_qp_attr(id, &attributes, &mask) && attributes.dest_qp_num != 0, "init qp attr");
    }
}

// Two commands.
static void create_id(void) {
    for (int i = 0; i < BATCH; i += 2) {
        struct rdma_cm_id *made;
        check(!rdma_create_id(channel, &made, NULL, RDMA_PS_TCP) && !rdma_destroy_id(made), "create id");
    }
}

// ---- what is not -----------------------------------------------------------------------------------------------------

static void nothing(void) {}

static void drain(void) {
    check(device_complete(BATCH) == BATCH, "as many requests as were posted");
    poll_many();
}

static void fill(void) {
    post_many();
    check(device_complete(BATCH) == BATCH, "as many requests as were posted");
}

static void calls(void) {
    kernel_make_calls(1);
}

static void no_calls(void) {
    kernel_make_calls(0);
}

static void drain_after_calls(void) {
    no_calls();
    drain();
}

static const struct {
    const char *name;
    void (*before)(void), (*timed)(void), (*after)(void);
} BENCHMARKS[] = {
    {"post", nothing, post, drain},
    {"post_16", nothing, post_many, drain},
    {"post_inline", nothing, post_inline, drain},
    {"post_syscall", calls, post, drain_after_calls},
    {"poll", fill, poll_single, nothing},
    {"poll_16", fill, poll_many, nothing},
    {"poll_empty", nothing, poll_empty, nothing},
    {"cm_set_option", nothing, set_option, nothing},
    {"cm_init_qp_attr", nothing, init_qp_attr, nothing},
    {"cm_create_destroy", nothing, create_id, nothing},
    {"cm_set_option_syscall", calls, set_option, no_calls},
};

static int ascending(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

// The median of the batches: whatever else the machine does meanwhile lies in few of them.
static double iteration(int benchmark, int64_t nanoseconds) {
    static int64_t batches[MOST_BATCHES];
    int count = 0;
    for (int64_t end = now() + nanoseconds; count == 0 || (count < MOST_BATCHES && now() < end); count++) {
        BENCHMARKS[benchmark].before();
        int64_t start = now();
        BENCHMARKS[benchmark].timed();
        batches[count] = now() - start;
        BENCHMARKS[benchmark].after();
    }
    qsort(batches, count, sizeof *batches, ascending);
    return (double)batches[count / 2] / BATCH;
}

// ---- objects ---------------------------------------------------------------------------------------------------------

static void make_queues(void) {
    struct ibv_device **devices = ibv_get_device_list(NULL);
    struct ibv_context *context = devices && devices[0] ? ibv_open_device(devices[0]) : NULL;
    struct ibv_pd *pd = context ? ibv_alloc_pd(context) : NULL;
    check(pd != NULL, "device");
    struct ibv_mr *region = ibv_reg_mr(pd, data, sizeof data, IBV_ACCESS_LOCAL_WRITE);
    check(region != NULL, "region");
    piece.addr = (uintptr_t)data;
    piece.lkey = region->lkey;
    cq = ibv_create_cq(context, 2 * BATCH - 1, NULL, NULL, 0);
    check(cq != NULL, "completion queue");
    struct ibv_qp_init_attr wanted = {
        .send_cq = cq,
        .recv_cq = cq,
        .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = BATCH, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = LENGTH},
    };
    qp = ibv_create_qp(pd, &wanted);
    check(qp != NULL, "queue pair");
}

static void make_requests(void) {
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
    make_queues();
    make_requests();
    check((channel = rdma_create_event_channel()) && !rdma_create_id(channel, &id, NULL, RDMA_PS_TCP), "id");
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
    check(kernel_doorbells() > 0 && kernel_cm_commands() > 0, "commands");
    return 0;
}
