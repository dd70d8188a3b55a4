// SPDX-License-Identifier: Apache-2.0
//
// What a driver's file in C provides.
#ifndef DRIVER_H
#define DRIVER_H

#include "kernel.h"

#include <infiniband/verbs.h>

struct ib_uverbs_ioctl_hdr;
struct object;

// ---- for kernel.c: the driver's part of commands, which return an error number or 0 ----------------------------------

int driver_get_context(struct ib_uverbs_ioctl_hdr *call, const void *request, int bytes);
int driver_is_infiniband(void);
void driver_query_device(struct ib_uverbs_ioctl_hdr *call);
void driver_alloc_pd(struct ib_uverbs_ioctl_hdr *call);
void driver_create_ah(struct ib_uverbs_ioctl_hdr *call);
void driver_create_cq(struct ib_uverbs_ioctl_hdr *call, struct queue *made);
void driver_create_qp(struct ib_uverbs_ioctl_hdr *call, struct queue *made);
void driver_create_srq(struct ib_uverbs_ioctl_hdr *call, struct queue *made);

// The driver's part of RESIZE_CQ; a driver without it leaves it out.
int driver_resize_cq(struct ib_uverbs_ioctl_hdr *call, uint32_t handle, uint32_t asked);

// A command that the kernel of other drivers does not have; a driver without one leaves it out.
int driver_write(struct ib_uverbs_ioctl_hdr *call, int command);

// A page that is none of doorbells, or that the driver's file watches itself; a driver without one leaves it out.
void *driver_map(size_t length, uint64_t offset, int protection);

// A method that only the driver has.
int driver_method(struct ib_uverbs_ioctl_hdr *call);

// ---- for player.c ----------------------------------------------------------------------------------------------------

// The mode, and the environment of the library.
void driver_start(char **arguments);

// Makes zeros of the numbers and addresses in a request that are the process's own.
void driver_hide(struct queue *of);

// The library has made a queue, whose create command is in `made->kernel`, or has changed the size of a completion queue.
void driver_made_cq(struct object *made);
void driver_made_qp(struct object *made, struct ibv_qp_cap asked);
void driver_made_srq(struct object *made, unsigned pieces);

// The queue pair is to carry out requests.
void driver_to_rts(struct object *qp);

// The queue pair is in RESET; a driver that counts nothing but positions leaves it out.
void driver_reset(struct object *qp);

// Prints what the process tells the device of a queue beside the ring.
void driver_print_record(struct object *of);

// Prints what the device has been told of since the last call: sends; the last receive; entries of a shared receive queue.
int driver_print_sent(struct object *qp);
void driver_print_received(struct object *qp);
int driver_print_posted(struct object *srq);

// Prints a store to a doorbell page, from its eight bytes.
void driver_print_doorbell(int page, int at, const uint8_t *stored);

// Prints the stores to a page that the driver's file watches itself; a driver without one leaves it out.
void driver_print_stores(void);

// Keeps none of the same stores from now on, or all.
void driver_ignore_stores(int from_now_on);

// The device takes the next entry of a shared receive queue.
void driver_take(struct object *srq);

// The device completes a work request: the words of the line say which and how.
void driver_complete(struct object *cq, struct object *qp);
void driver_complete_xrc(struct object *cq, struct object *srq);

#endif
