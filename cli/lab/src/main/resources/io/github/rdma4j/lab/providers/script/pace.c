// SPDX-License-Identifier: Apache-2.0
//
// Measures posting and polling of libmlx4 over the kernel of kernel.c. Mlx5Pace.java does the same in Java. Between the batches
// that are timed the program fills or drains the rings as a device would.
#define _GNU_SOURCE
#include "driver.h"
#include "kernel.h"
#include "pace.h"
#include "text.h"

#include <endian.h>
#include <infiniband/mlx4dv.h>

enum { ENTRY = 64, ENTRIES = 2 * BATCH, KEY = 0x1234 };

static struct queue kernel_cq, kernel_qp;
static uint32_t producer, position;

// The device: BATCH requests have been sent.
static void complete(void) {
    struct mlx4_cqe entry = {.vlan_my_qpn = htobe32(kernel_qp.number)};
    for (int i = 0; i < BATCH; i++, position++, producer++) {
        entry.wqe_index = htobe16(position);
        entry.owner_sr_opcode =
            MLX4_CQE_IS_SEND_MASK | MLX4_OPCODE_SEND | (producer & ENTRIES ? MLX4_CQE_OWNER_MASK : 0);
        memcpy(kernel_cq.ring + (producer % ENTRIES + 1) * ENTRY - sizeof entry, &entry, sizeof entry);
    }
}

static void drain(void) {
    complete();
    poll_many();
}

static void fill(void) {
    post_many();
    complete();
}

static const struct benchmark BENCHMARKS[] = {
    {"post", nothing, post, drain},
    {"post_16", nothing, post_many, drain},
    {"post_inline", nothing, post_inline, drain},
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
    driver_start((char *[]){"roce", "64"});
    make_queues();
    make_requests(KEY);
    measure(BENCHMARKS, sizeof BENCHMARKS / sizeof *BENCHMARKS, arguments);
    return 0;
}
