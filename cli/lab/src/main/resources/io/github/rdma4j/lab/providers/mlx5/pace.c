// SPDX-License-Identifier: Apache-2.0
//
// Measures posting and polling of libmlx5 over the kernel of kernel.c. Mlx5Pace.java does the same in Java. Between the batches
// that are timed the program fills or drains the rings as a device would.
#define _GNU_SOURCE
#include "driver.h"
#include "kernel.h"
#include "pace.h"
#include "text.h"

#include <endian.h>
#include <infiniband/mlx5dv.h>

enum { BLOCK = 64, ENTRIES = 2 * BATCH, KEY = 0x1234 };

static struct queue kernel_cq, kernel_qp;
static uint32_t producer, position;

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

static const struct benchmark BENCHMARKS[] = {
    {"post", nothing, post, drain},
    {"post_16", nothing, post_many, drain},
    {"post_inline", nothing, post_inline, drain_inline},
    {"poll", fill, poll_single, nothing},
    {"poll_16", fill, poll_many, nothing},
    {"poll_empty", nothing, poll_empty, nothing},
};

static void make_queues(void) {
    struct ibv_context *context = open_device();
    struct ibv_pd *pd = ibv_alloc_pd(context);
    check(pd != NULL, "protection domain");
    cq = ibv_create_cq(context, ENTRIES - 1, NULL, NULL, 0);
    check(cq && cq->cqe == ENTRIES - 1, "completion queue");
    make_queue_pair(pd);
    kernel_cq = *kernel_last(CQ);
    kernel_qp = *kernel_last(QP);
    to_state(qp, IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    to_state(qp, IBV_QPS_RTR, 0);
    to_state(qp, IBV_QPS_RTS, 0);
}

int main(int count, char **arguments) {
    if (count != 3) {
        return 2;
    }
    driver_start((char *[]){"roce", "1"});
    make_queues();
    make_requests(KEY);
    measure(BENCHMARKS, sizeof BENCHMARKS / sizeof *BENCHMARKS, arguments);
    return 0;
}
