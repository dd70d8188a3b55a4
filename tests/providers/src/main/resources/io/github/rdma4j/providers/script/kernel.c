// SPDX-License-Identifier: Apache-2.0
//
// The functions of libc that libibverbs and a driver's library reach the kernel with, as far as a device is concerned that
// exists only here. The program defines them, so that the libraries find these before those of libc.
#define _GNU_SOURCE
#include "driver.h"
#include "kernel.h"
#include "node.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/types.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>

enum {
    MOST_QUEUES = 64,
    MOST_PAGES = 16,
    FIRST_CQN = 0x400,
    FIRST_QPN = 0x100,
    FIRST_SRQN = 0x40,
    CONTEXT_BYTES = 32,
};

static int device = -1, device_end[2], async_end[2];
static struct queue queues[MOST_QUEUES];
static int queue_count;
static uint32_t next_handle = 1, next_cqn = FIRST_CQN, next_qpn = FIRST_QPN, next_srqn = FIRST_SRQN;
static int number_bits = 31, first_psn = -1;
static uint8_t context_request[CONTEXT_BYTES];
static int context_bytes;
static struct {
    uint64_t offset;
    uint8_t *memory;
} pages[MOST_PAGES];
static int page_count;

const uint8_t *kernel_context(int *bytes) {
    *bytes = context_bytes;
    return context_request;
}

struct queue *kernel_last(int kind) {
    for (int i = queue_count - 1; i >= 0; i--) {
        if (queues[i].kind == kind) {
            return &queues[i];
        }
    }
    return NULL;
}

int kernel_async(const struct queue *of) {
    for (int i = 0; i < queue_count; i++) {
        queues[i].events += queues[i].kind == of->kind && queues[i].handle == of->handle;
    }
    return async_end[1];
}

void kernel_numbers(int bits, uint32_t cqn, uint32_t qpn, uint32_t srqn, int psn) {
    number_bits = bits;
    next_cqn = cqn;
    next_qpn = qpn;
    next_srqn = srqn;
    first_psn = psn;
}

int kernel_psn(void) {
    return first_psn;
}

// The kernel keeps the lowest numbers for itself.
static uint32_t next(uint32_t *number) {
    uint32_t taken = *number;
    *number = taken + 1 == 1u << number_bits ? FIRST_SRQN : taken + 1;
    return taken;
}

int kernel_pages(void) {
    return page_count;
}

uint8_t *kernel_page(int index) {
    return pages[index].memory;
}

// ---- the device node -------------------------------------------------------------------------------------------------

int open_node(void) {
    return device = LIBC(open)("/dev/null", O_RDWR | O_CLOEXEC);
}

// ---- doorbell pages --------------------------------------------------------------------------------------------------

__attribute__((weak)) void *driver_map(size_t length, uint64_t offset, int protection) {
    return NULL;
}

static uint8_t *map_page(size_t length, uint64_t offset, int protection) {
    uint8_t *own = driver_map(length, offset, protection);
    if (own) {
        return own;
    }
    uint8_t *memory = LIBC(mmap)(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memset(memory, 0, length);
    pages[page_count].offset = offset;
    pages[page_count++].memory = memory;
    return memory;
}

void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
    return fd >= 0 && fd == device ? map_page(length, offset, protection)
                                   : LIBC(mmap)(at, length, protection, flags, fd, offset);
}

// ---- attributes of an ioctl ------------------------------------------------------------------------------------------

static struct ib_uverbs_attr *find(struct ib_uverbs_ioctl_hdr *call, int id) {
    for (int i = 0; i < call->num_attrs; i++) {
        if (call->attrs[i].attr_id == id) {
            return &call->attrs[i];
        }
    }
    return NULL;
}

const void *kernel_input(struct ib_uverbs_ioctl_hdr *call, int id, int *bytes) {
    struct ib_uverbs_attr *found = find(call, id);
    *bytes = found ? found->len : 0;
    return !found ? NULL : found->len <= sizeof found->data ? (void *)&found->data : (void *)(uintptr_t)found->data;
}

static uint32_t number(struct ib_uverbs_ioctl_hdr *call, int id) {
    struct ib_uverbs_attr *found = find(call, id);
    return found ? (uint32_t)found->data : 0;
}

void kernel_output(struct ib_uverbs_ioctl_hdr *call, int id, const void *from, size_t bytes) {
    struct ib_uverbs_attr *found = find(call, id);
    if (found) {
        memcpy((void *)(uintptr_t)found->data, from, bytes < found->len ? bytes : found->len);
        found->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
    }
}

uint32_t kernel_created(struct ib_uverbs_ioctl_hdr *call, int id) {
    struct ib_uverbs_attr *found = find(call, id);
    if (found) {
        found->data = next_handle;
    }
    return next_handle++;
}

// ---- commands --------------------------------------------------------------------------------------------------------

static int get_context(struct ib_uverbs_ioctl_hdr *call) {
    int bytes;
    const void *request = kernel_input(call, UVERBS_ATTR_UHW_IN, &bytes);
    int error = driver_get_context(call, request, bytes);
    if (error) {
        return error;
    }
    if (bytes) {
        memcpy(context_request, request, context_bytes = bytes);
    }
    uint32_t vectors = 4;
    kernel_output(call, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, &vectors, sizeof vectors);
    uint64_t support = 0;
    kernel_output(call, UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, &support, sizeof support);
    return 0;
}

static struct ib_uverbs_query_port_resp port(void) {
    return (struct ib_uverbs_query_port_resp){
        .max_msg_sz = 1 << 30,
        .gid_tbl_len = 4,
        .pkey_tbl_len = 1,
        .state = 4,
        .max_mtu = 5,
        .active_mtu = 5,
        .port_cap_flags = driver_is_infiniband() ? 0 : IB_UVERBS_PCF_IP_BASED_GIDS,
        .link_layer = driver_is_infiniband() ? 1 : 2,
        .lid = driver_is_infiniband() ? 7 : 0,
    };
}

static int query_device(struct ib_uverbs_ioctl_hdr *call, int extended) {
    struct ib_uverbs_ex_query_device_resp reply = {
        .base = {
            .max_mr_size = ~0ull, .page_size_cap = 0xfffff000, .max_qp = 1 << 18, .max_qp_wr = 1 << 15, .max_sge = 30,
            .max_cq = 1 << 24, .max_cqe = (1 << 22) - 1, .max_mr = 1 << 24, .max_pd = 1 << 24, .max_qp_rd_atom = 16,
            .max_qp_init_rd_atom = 16, .atomic_cap = 1, .max_ah = 1 << 20, .max_srq = 1 << 23, .max_srq_wr = 32767,
            .max_srq_sge = 31, .max_pkeys = 128, .phys_port_cnt = 1, .device_cap_flags = IB_UVERBS_DEVICE_XRC,
        },
        .response_length = sizeof reply,
    };
    kernel_output(call, UVERBS_ATTR_CORE_OUT, &reply, extended ? sizeof reply : sizeof reply.base);
    driver_query_device(call);
    return 0;
}

static int alloc_pd(struct ib_uverbs_ioctl_hdr *call) {
    struct ib_uverbs_alloc_pd_resp reply = {next_handle++};
    kernel_output(call, UVERBS_ATTR_CORE_OUT, &reply, sizeof reply);
    driver_alloc_pd(call);
    return 0;
}

static int create_ah(struct ib_uverbs_ioctl_hdr *call) {
    struct ib_uverbs_create_ah_resp reply = {next_handle++};
    kernel_output(call, UVERBS_ATTR_CORE_OUT, &reply, sizeof reply);
    driver_create_ah(call);
    return 0;
}

// The descriptor that libibverbs reads events from; the program writes to the other end.
static int create_channel(struct ib_uverbs_ioctl_hdr *call) {
    if (pipe2(device_end, O_CLOEXEC)) {
        return errno;
    }
    struct ib_uverbs_create_comp_channel_resp reply = {device_end[0]};
    kernel_output(call, UVERBS_ATTR_CORE_OUT, &reply, sizeof reply);
    return 0;
}

__attribute__((weak)) int driver_resize_cq(struct ib_uverbs_ioctl_hdr *call, uint32_t handle, uint32_t asked) {
    return EOPNOTSUPP;
}

static int resize_cq(struct ib_uverbs_ioctl_hdr *call) {
    int bytes;
    const struct ib_uverbs_resize_cq *request = kernel_input(call, UVERBS_ATTR_CORE_IN, &bytes);
    struct ib_uverbs_resize_cq_resp reply = {request->cqe};
    kernel_output(call, UVERBS_ATTR_CORE_OUT, &reply, sizeof reply);
    return driver_resize_cq(call, request->cq_handle, request->cqe);
}

__attribute__((weak)) int driver_write(struct ib_uverbs_ioctl_hdr *call, int command) {
    return EOPNOTSUPP;
}

static int write_command(struct ib_uverbs_ioctl_hdr *call) {
    if (!find(call, UVERBS_ATTR_CORE_IN)) {
        return ENOSPC; // that the method exists
    }
    uint64_t command = find(call, UVERBS_ATTR_WRITE_CMD)->data;
    switch (command & IB_USER_VERBS_CMD_COMMAND_MASK) {
    case IB_USER_VERBS_CMD_QUERY_DEVICE:
        return query_device(call, !!(command & IB_USER_VERBS_CMD_FLAG_EXTENDED));
    case IB_USER_VERBS_CMD_QUERY_PORT: {
        struct ib_uverbs_query_port_resp reply = port();
        kernel_output(call, UVERBS_ATTR_CORE_OUT, &reply, sizeof reply);
        return 0;
    }
    case IB_USER_VERBS_CMD_ALLOC_PD:
        return alloc_pd(call);
    case IB_USER_VERBS_CMD_CREATE_AH:
        return create_ah(call);
    case IB_USER_VERBS_CMD_RESIZE_CQ:
        return resize_cq(call);
    case IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL:
        return create_channel(call);
    case IB_USER_VERBS_CMD_OPEN_XRCD: {
        struct ib_uverbs_open_xrcd_resp reply = {next_handle++};
        kernel_output(call, UVERBS_ATTR_CORE_OUT, &reply, sizeof reply);
        return 0;
    }
    case IB_USER_VERBS_CMD_MODIFY_QP:
    case IB_USER_VERBS_CMD_DEALLOC_PD:
    case IB_USER_VERBS_CMD_DESTROY_AH:
        return 0;
    default:
        return driver_write(call, command & IB_USER_VERBS_CMD_COMMAND_MASK);
    }
}

static struct queue *remember(struct ib_uverbs_ioctl_hdr *call, int kind, uint32_t handle, uint32_t queue_number) {
    struct queue *made = &queues[queue_count++];
    *made = (struct queue){.kind = kind, .handle = handle, .number = queue_number};
    const uint8_t *request = kernel_input(call, UVERBS_ATTR_UHW_IN, &made->request_bytes);
    memcpy(made->request, request, made->request_bytes);
    return made;
}

static int create_cq(struct ib_uverbs_ioctl_hdr *call) {
    struct queue *made = remember(call, CQ, kernel_created(call, UVERBS_ATTR_CREATE_CQ_HANDLE), next(&next_cqn));
    made->asked = number(call, UVERBS_ATTR_CREATE_CQ_CQE);
    int bytes;
    memcpy(&made->user_handle, kernel_input(call, UVERBS_ATTR_CREATE_CQ_USER_HANDLE, &bytes), sizeof made->user_handle);
    made->channel = device_end[1];
    kernel_output(call, UVERBS_ATTR_CREATE_CQ_RESP_CQE, &made->asked, sizeof made->asked);
    driver_create_cq(call, made);
    return 0;
}

static int create_qp(struct ib_uverbs_ioctl_hdr *call) {
    struct queue *made = remember(call, QP, kernel_created(call, UVERBS_ATTR_CREATE_QP_HANDLE), next(&next_qpn));
    int bytes;
    const struct ib_uverbs_qp_cap *capacities = kernel_input(call, UVERBS_ATTR_CREATE_QP_CAP, &bytes);
    kernel_output(call, UVERBS_ATTR_CREATE_QP_RESP_CAP, capacities, sizeof *capacities);
    kernel_output(call, UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, &made->number, sizeof made->number);
    driver_create_qp(call, made);
    return 0;
}

static int create_srq(struct ib_uverbs_ioctl_hdr *call) {
    struct queue *made = remember(call, SRQ, kernel_created(call, UVERBS_ATTR_CREATE_SRQ_HANDLE), next(&next_srqn));
    uint32_t most = 1;
    while (most < number(call, UVERBS_ATTR_CREATE_SRQ_MAX_WR) + 1) {
        most <<= 1;
    }
    made->asked = --most;
    uint32_t pieces = number(call, UVERBS_ATTR_CREATE_SRQ_MAX_SGE);
    kernel_output(call, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, &most, sizeof most);
    kernel_output(call, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, &pieces, sizeof pieces);
    kernel_output(call, UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM, &made->number, sizeof made->number);
    driver_create_srq(call, made);
    return 0;
}

// The reply counts the events that the program has to acknowledge before the library returns.
static int destroy(struct ib_uverbs_ioctl_hdr *call, int kind, int handle_attribute, int reply_attribute) {
    uint32_t handle = number(call, handle_attribute);
    for (int i = 0; i < queue_count; i++) {
        if (queues[i].kind == kind && queues[i].handle == handle) {
            uint32_t reply[2] = {queues[i].events};
            kernel_output(call, reply_attribute, reply, sizeof reply);
            queues[i] = queues[--queue_count];
            return 0;
        }
    }
    return ENOENT;
}

// Four GIDs: of RoCE the second has version 1 and the others version 2.
static int query_gid(struct ib_uverbs_ioctl_hdr *call) {
    uint32_t index = number(call, UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX);
    if (index > 3) {
        return ENODATA;
    }
    struct ib_uverbs_gid_entry entry = {
        .gid = {htobe64(0xfe80000000000000), htobe64(index + 1)},
        .gid_index = index,
        .port_num = 1,
        .gid_type = driver_is_infiniband() ? IB_UVERBS_GID_TYPE_IB
                    : index == 1            ? IB_UVERBS_GID_TYPE_ROCE_V1
                                            : IB_UVERBS_GID_TYPE_ROCE_V2,
        .netdev_ifindex = driver_is_infiniband() ? 0 : 1,
    };
    kernel_output(call, UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY, &entry, sizeof entry);
    return 0;
}

static int device_method(struct ib_uverbs_ioctl_hdr *call) {
    switch (call->method_id) {
    case UVERBS_METHOD_INVOKE_WRITE:
        return write_command(call);
    case UVERBS_METHOD_GET_CONTEXT:
        return get_context(call);
    case UVERBS_METHOD_QUERY_PORT: {
        struct ib_uverbs_query_port_resp_ex reply = {port()};
        kernel_output(call, UVERBS_ATTR_QUERY_PORT_RESP, &reply, sizeof reply);
        return 0;
    }
    case UVERBS_METHOD_QUERY_GID_ENTRY:
        return query_gid(call);
    default:
        return EPROTONOSUPPORT;
    }
}

static int dispatch(struct ib_uverbs_ioctl_hdr *call) {
    switch (call->object_id) {
    case UVERBS_OBJECT_DEVICE:
        return device_method(call);
    case UVERBS_OBJECT_ASYNC_EVENT:
        if (pipe2(async_end, O_CLOEXEC)) {
            return errno;
        }
        find(call, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE)->data_s64 = async_end[0];
        return 0;
    case UVERBS_OBJECT_CQ:
        return call->method_id == UVERBS_METHOD_CQ_CREATE ? create_cq(call)
                                                          : destroy(call, CQ, UVERBS_ATTR_DESTROY_CQ_HANDLE, UVERBS_ATTR_DESTROY_CQ_RESP);
    case UVERBS_OBJECT_QP:
        return call->method_id == UVERBS_METHOD_QP_CREATE ? create_qp(call)
                                                          : destroy(call, QP, UVERBS_ATTR_DESTROY_QP_HANDLE, UVERBS_ATTR_DESTROY_QP_RESP);
    case UVERBS_OBJECT_SRQ:
        return call->method_id == UVERBS_METHOD_SRQ_CREATE ? create_srq(call)
                                                           : destroy(call, SRQ, UVERBS_ATTR_DESTROY_SRQ_HANDLE, UVERBS_ATTR_DESTROY_SRQ_RESP);
    case UVERBS_OBJECT_PD:
    case UVERBS_OBJECT_AH:
        return 0;
    default:
        return driver_method(call);
    }
}

int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (fd < 0 || fd != device) {
        return LIBC(ioctl)(fd, request, argument);
    }
    int error = request == RDMA_VERBS_IOCTL ? dispatch(argument) : ENOTTY;
    errno = error;
    return error ? -1 : 0;
}
