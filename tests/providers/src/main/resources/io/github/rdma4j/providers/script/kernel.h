// SPDX-License-Identifier: Apache-2.0
//
// The kernel of a driver inside the process: libibverbs and the driver's library open a device that is not there, and what they
// write for the device stays where this program can read it.
#ifndef KERNEL_H
#define KERNEL_H

#include <stddef.h>
#include <stdint.h>

enum { PAGE = 4096 };

// What a create command said and was answered.
struct queue {
    enum { NOTHING, CQ, QP, SRQ } kind;
    uint32_t handle, number;
    uint8_t request[64];
    int request_bytes;
    uint8_t *ring, *record;
    uint32_t asked; // CQ: cqe; SRQ: max_wr
    int channel;
    uint32_t events; // asynchronous ones
    uint64_t user_handle;
};

// The request of GET_CONTEXT.
const uint8_t *kernel_context(int *bytes);

// Where an asynchronous event of a queue is written for the library to read.
int kernel_async(const struct queue *of);

// The numbers of the queues and packets to come; those of queues begin anew after so many bits.
void kernel_numbers(int bits, uint32_t cqn, uint32_t qpn, uint32_t srqn, int psn);

// The number of the first packets; -1 for one that depends on the queue pair alone.
int kernel_psn(void);

// The queue of that kind that was created last.
struct queue *kernel_last(int kind);

// Doorbell pages in the order in which they were mapped: how many there are, and one of them.
int kernel_pages(void);
uint8_t *kernel_page(int index);

// ---- for the driver: attributes of a command -------------------------------------------------------------------------

struct ib_uverbs_ioctl_hdr;

// An input, and its bytes; NULL if there is none.
const void *kernel_input(struct ib_uverbs_ioctl_hdr *call, int id, int *bytes);

// Writes as much of an output as there is room for.
void kernel_output(struct ib_uverbs_ioctl_hdr *call, int id, const void *from, size_t bytes);

// The handle of a new object.
uint32_t kernel_created(struct ib_uverbs_ioctl_hdr *call, int id);

#endif
