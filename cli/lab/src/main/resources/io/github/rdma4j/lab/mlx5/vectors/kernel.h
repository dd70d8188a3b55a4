// SPDX-License-Identifier: Apache-2.0
//
// An mlx5 kernel inside the process: libibverbs and libmlx5 open a device that is not there, and what they write for the
// device stays where this program can read it.
#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>

enum link { ROCE, INFINIBAND };

struct mode {
    enum link link;
    int cqe_version;
};

// What a create command said and was answered.
struct queue {
    enum { NOTHING, CQ, QP, SRQ } kind;
    uint32_t handle, number;
    uint8_t request[64];
    int request_bytes;
    uint8_t *ring, *record;
    uint32_t asked; // CQ: cqe; SRQ: max_wr
    int channel;
    uint64_t user_handle;
};

void kernel_start(struct mode mode);

// The request of GET_CONTEXT.
const uint8_t *kernel_context(int *bytes);

// The queue of that kind that was created last.
struct queue *kernel_last(int kind);

// Doorbell pages: how many there are, one of them, and whether its number is in a request.
int kernel_pages(void);
uint8_t *kernel_page(int index);

#endif
