// SPDX-License-Identifier: Apache-2.0
//
// The functions of libc that libibverbs and libmlx5 reach the kernel with, as far as a device is concerned that exists only
// here. The program defines them, so that the libraries find these before those of libc.
#define _GNU_SOURCE
#include "kernel.h"

#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/types.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>

enum {
    PAGE = 4096,
    MOST_QUEUES = 64,
    MOST_PAGES = 16,
    NC_PAGE_ID = 0x20,
    FIRST_CQN = 0x400,
    FIRST_QPN = 0x100,
    FIRST_SRQN = 0x40,
    NETLINK_RDMA_PROTOCOL = 20,
    CONTEXT_BYTES = 32,
};

static const uint8_t PEER_MAC[6] = {0x02, 0x11, 0x22, 0x33, 0x44, 0x55};

static struct mode mode;
static int device = -1, device_end[2];
static struct queue queues[MOST_QUEUES];
static int queue_count;
static uint32_t next_handle = 1, next_cqn = FIRST_CQN, next_qpn = FIRST_QPN, next_srqn = FIRST_SRQN;
static uint8_t context_request[CONTEXT_BYTES];
static int context_bytes;
static struct {
    uint64_t offset;
    uint8_t *memory;
} pages[MOST_PAGES];
static int page_count;

#define LIBC(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

void kernel_start(struct mode wanted) {
    mode = wanted;
}

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

int kernel_pages(void) {
    return page_count;
}

uint8_t *kernel_page(int index) {
    return pages[index].memory;
}

// ---- the device node -------------------------------------------------------------------------------------------------

static int is_node(const char *path) {
    static const char NODE[] = "/dev/infiniband/uverbs";
    return path && !strncmp(path, NODE, sizeof NODE - 1);
}

static int open_node(void) {
    return device = LIBC(open)("/dev/null", O_RDWR | O_CLOEXEC);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t rights = va_arg(rest, int);
    va_end(rest);
    return is_node(path) ? open_node() : LIBC(open)(path, flags, rights);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t rights = va_arg(rest, int);
    va_end(rest);
    return is_node(path) ? open_node() : LIBC(open64)(path, flags, rights);
}

int stat(const char *path, struct stat *found) {
    return LIBC(stat)(is_node(path) ? "/dev/null" : path, found);
}

// Without netlink libibverbs looks for devices in sysfs, which can be anywhere.
int socket(int domain, int type, int protocol) {
    if (domain == AF_NETLINK && protocol == NETLINK_RDMA_PROTOCOL) {
        errno = EPROTONOSUPPORT;
        return -1;
    }
    return LIBC(socket)(domain, type, protocol);
}

// ---- doorbell pages --------------------------------------------------------------------------------------------------

static uint8_t *map_page(size_t length, uint64_t offset) {
    uint8_t *memory = LIBC(mmap)(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memset(memory, 0, length);
    pages[page_count].offset = offset;
    pages[page_count++].memory = memory;
    return memory;
}

void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
    return fd >= 0 && fd == device ? map_page(length, offset) : LIBC(mmap)(at, length, protection, flags, fd, offset);
}

void *mmap64(void *at, size_t length, int protection, int flags, int fd, off64_t offset) {
    return mmap(at, length, protection, flags, fd, offset);
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

static const void *input(struct ib_uverbs_ioctl_hdr *call, int id, int *bytes) {
    struct ib_uverbs_attr *found = find(call, id);
    *bytes = found ? found->len : 0;
    return !found ? NULL : found->len <= sizeof found->data ? (void *)&found->data : (void *)(uintptr_t)found->data;
}

static uint32_t number(struct ib_uverbs_ioctl_hdr *call, int id) {
    struct ib_uverbs_attr *found = find(call, id);
    return found ? (uint32_t)found->data : 0;
}

static void output(struct ib_uverbs_ioctl_hdr *call, int id, const void *from, size_t bytes) {
    struct ib_uverbs_attr *found = find(call, id);
    if (found) {
        memcpy((void *)(uintptr_t)found->data, from, bytes < found->len ? bytes : found->len);
        found->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
    }
}

static uint32_t created(struct ib_uverbs_ioctl_hdr *call, int id) {
    struct ib_uverbs_attr *found = find(call, id);
    if (found) {
        found->data = next_handle;
    }
    return next_handle++;
}

// ---- commands --------------------------------------------------------------------------------------------------------

static int get_context(struct ib_uverbs_ioctl_hdr *call) {
    struct mlx5_ib_alloc_ucontext_req_v2 asked;
    int bytes;
    const void *request = input(call, UVERBS_ATTR_UHW_IN, &bytes);
    if (bytes != sizeof asked) {
        return EINVAL;
    }
    memcpy(&asked, request, sizeof asked);
    if (asked.flags & MLX5_IB_ALLOC_UCTX_DEVX) {
        return EPERM;
    }
    memcpy(context_request, request, context_bytes = bytes);
    struct mlx5_ib_alloc_ucontext_resp reply = {
        .qp_tab_size = 1 << 18,
        .bf_reg_size = 512,
        .cache_line_size = 64,
        .max_sq_desc_sz = 1024,
        .max_rq_desc_sz = 512,
        .max_send_wqebb = 1 << 15,
        .max_recv_wr = 1 << 15,
        .max_srq_recv_wr = 1 << 15,
        .num_ports = 1,
        .cqe_version = mode.cqe_version,
        .cmds_supp_uhw = MLX5_USER_CMDS_SUPP_UHW_CREATE_AH | MLX5_USER_CMDS_SUPP_UHW_QUERY_DEVICE,
        .log_uar_size = 12,
        .num_uars_per_page = 1,
        .response_length = sizeof reply,
    };
    output(call, UVERBS_ATTR_UHW_OUT, &reply, sizeof reply);
    uint32_t vectors = 4;
    output(call, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, &vectors, sizeof vectors);
    uint64_t support = 0;
    output(call, UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, &support, sizeof support);
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
        .link_layer = mode.link == INFINIBAND ? 1 : 2,
        .lid = mode.link == INFINIBAND ? 7 : 0,
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
    output(call, UVERBS_ATTR_CORE_OUT, &reply, extended ? sizeof reply : sizeof reply.base);
    struct mlx5_ib_query_device_resp driver = {.response_length = sizeof driver};
    output(call, UVERBS_ATTR_UHW_OUT, &driver, sizeof driver);
    return 0;
}

static int alloc_pd(struct ib_uverbs_ioctl_hdr *call) {
    struct ib_uverbs_alloc_pd_resp reply = {next_handle++};
    output(call, UVERBS_ATTR_CORE_OUT, &reply, sizeof reply);
    struct mlx5_ib_alloc_pd_resp driver = {9};
    output(call, UVERBS_ATTR_UHW_OUT, &driver, sizeof driver);
    return 0;
}

static int create_ah(struct ib_uverbs_ioctl_hdr *call) {
    struct ib_uverbs_create_ah_resp reply = {next_handle++};
    output(call, UVERBS_ATTR_CORE_OUT, &reply, sizeof reply);
    struct mlx5_ib_create_ah_resp driver = {.response_length = offsetof(struct mlx5_ib_create_ah_resp, reserved)};
    memcpy(driver.dmac, PEER_MAC, sizeof PEER_MAC);
    output(call, UVERBS_ATTR_UHW_OUT, &driver, driver.response_length);
    return 0;
}

// The descriptor that libibverbs reads events from; the program writes to the other end.
static int create_channel(struct ib_uverbs_ioctl_hdr *call) {
    if (pipe2(device_end, O_CLOEXEC)) {
        return errno;
    }
    struct ib_uverbs_create_comp_channel_resp reply = {device_end[0]};
    output(call, UVERBS_ATTR_CORE_OUT, &reply, sizeof reply);
    return 0;
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
        output(call, UVERBS_ATTR_CORE_OUT, &reply, sizeof reply);
        return 0;
    }
    case IB_USER_VERBS_CMD_ALLOC_PD:
        return alloc_pd(call);
    case IB_USER_VERBS_CMD_CREATE_AH:
        return create_ah(call);
    case IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL:
        return create_channel(call);
    case IB_USER_VERBS_CMD_OPEN_XRCD: {
        struct ib_uverbs_open_xrcd_resp reply = {next_handle++};
        output(call, UVERBS_ATTR_CORE_OUT, &reply, sizeof reply);
        return 0;
    }
    case IB_USER_VERBS_CMD_MODIFY_QP:
    case IB_USER_VERBS_CMD_DEALLOC_PD:
    case IB_USER_VERBS_CMD_DESTROY_AH:
        return 0;
    default:
        return EOPNOTSUPP;
    }
}

static struct queue *remember(struct ib_uverbs_ioctl_hdr *call, int kind, uint32_t handle, uint32_t queue_number) {
    struct queue *made = &queues[queue_count++];
    *made = (struct queue){.kind = kind, .handle = handle, .number = queue_number};
    const uint8_t *request = input(call, UVERBS_ATTR_UHW_IN, &made->request_bytes);
    memcpy(made->request, request, made->request_bytes);
    // Each request begins with the two addresses.
    memcpy(&made->ring, made->request, sizeof made->ring);
    memcpy(&made->record, made->request + sizeof made->ring, sizeof made->record);
    return made;
}

static int create_cq(struct ib_uverbs_ioctl_hdr *call) {
    struct queue *made = remember(call, CQ, created(call, UVERBS_ATTR_CREATE_CQ_HANDLE), next_cqn++);
    made->asked = number(call, UVERBS_ATTR_CREATE_CQ_CQE);
    int bytes;
    memcpy(&made->user_handle, input(call, UVERBS_ATTR_CREATE_CQ_USER_HANDLE, &bytes), sizeof made->user_handle);
    made->channel = device_end[1];
    output(call, UVERBS_ATTR_CREATE_CQ_RESP_CQE, &made->asked, sizeof made->asked);
    struct mlx5_ib_create_cq_resp driver = {made->number};
    output(call, UVERBS_ATTR_UHW_OUT, &driver, sizeof driver.cqn);
    return 0;
}

static int create_qp(struct ib_uverbs_ioctl_hdr *call) {
    struct queue *made = remember(call, QP, created(call, UVERBS_ATTR_CREATE_QP_HANDLE), next_qpn++);
    int bytes;
    const struct ib_uverbs_qp_cap *capacities = input(call, UVERBS_ATTR_CREATE_QP_CAP, &bytes);
    output(call, UVERBS_ATTR_CREATE_QP_RESP_CAP, capacities, sizeof *capacities);
    output(call, UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, &made->number, sizeof made->number);
    struct mlx5_ib_create_qp_resp driver = {.bfreg_index = 1u << 31};
    output(call, UVERBS_ATTR_UHW_OUT, &driver, sizeof driver);
    return 0;
}

static int create_srq(struct ib_uverbs_ioctl_hdr *call) {
    struct queue *made = remember(call, SRQ, created(call, UVERBS_ATTR_CREATE_SRQ_HANDLE), next_srqn++);
    uint32_t most = 1;
    while (most < number(call, UVERBS_ATTR_CREATE_SRQ_MAX_WR) + 1) {
        most <<= 1;
    }
    made->asked = --most;
    uint32_t pieces = number(call, UVERBS_ATTR_CREATE_SRQ_MAX_SGE);
    output(call, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, &most, sizeof most);
    output(call, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, &pieces, sizeof pieces);
    output(call, UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM, &made->number, sizeof made->number);
    struct mlx5_ib_create_srq_resp driver = {made->number};
    output(call, UVERBS_ATTR_UHW_OUT, &driver, sizeof driver);
    return 0;
}

// The reply counts the events that the program has to acknowledge: none.
static int destroy(struct ib_uverbs_ioctl_hdr *call, int kind, int handle_attribute, int reply_attribute) {
    uint32_t handle = number(call, handle_attribute), reply[2] = {0};
    output(call, reply_attribute, reply, sizeof reply);
    for (int i = 0; i < queue_count; i++) {
        if (queues[i].kind == kind && queues[i].handle == handle) {
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
        .gid_type = mode.link == INFINIBAND ? IB_UVERBS_GID_TYPE_IB
                    : index == 1            ? IB_UVERBS_GID_TYPE_ROCE_V1
                                            : IB_UVERBS_GID_TYPE_ROCE_V2,
        .netdev_ifindex = mode.link == INFINIBAND ? 0 : 1,
    };
    output(call, UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY, &entry, sizeof entry);
    return 0;
}

static int alloc_uar(struct ib_uverbs_ioctl_hdr *call) {
    static uint32_t allocated;
    uint32_t page_id = NC_PAGE_ID + allocated;
    uint64_t offset = (uint64_t)((9 << 8) + allocated++) * PAGE;
    uint32_t length = PAGE;
    created(call, MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE);
    output(call, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET, &offset, sizeof offset);
    output(call, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH, &length, sizeof length);
    output(call, MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID, &page_id, sizeof page_id);
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
        output(call, UVERBS_ATTR_QUERY_PORT_RESP, &reply, sizeof reply);
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
        find(call, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE)->data_s64 = LIBC(open)("/dev/null", O_RDWR | O_CLOEXEC);
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
    case MLX5_IB_OBJECT_UAR:
        return call->method_id == MLX5_IB_METHOD_UAR_OBJ_ALLOC ? alloc_uar(call) : 0;
    default:
        return EOPNOTSUPP;
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
