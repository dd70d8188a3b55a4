// SPDX-License-Identifier: Apache-2.0
//
// Measures posting and polling of librxe and commands of librdmacm over the kernel of kernel.c. CostPace.java does the same in
// Java. Between the batches that are timed the device sends what was posted.
#define _GNU_SOURCE
#include "kernel.h"
#include "queues.h"

#include <netinet/in.h>
#include <rdma/rdma_cma.h>

enum { TOS = 8 };

static struct rdma_event_channel *channel;
static struct rdma_cm_id *id;

// ---- what is timed ---------------------------------------------------------------------------------------------------

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

static const struct benchmark BENCHMARKS[] = {
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

int main(int count, char **arguments) {
    if (count != 3) {
        return 2;
    }
    make_requests(make_queues());
    check((channel = rdma_create_event_channel()) && !rdma_create_id(channel, &id, NULL, RDMA_PS_TCP), "id");
    measure(BENCHMARKS, sizeof BENCHMARKS / sizeof *BENCHMARKS, arguments);
    check(kernel_doorbells() > 0 && kernel_cm_commands() > 0, "commands");
    return 0;
}
