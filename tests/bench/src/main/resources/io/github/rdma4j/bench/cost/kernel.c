// SPDX-License-Identifier: Apache-2.0
//
// The functions of libc that reach the kernel, as far as RDMA's character devices are concerned. Objects are made and not
// remembered, and nothing is checked. Java makes objects by the ioctl for verbs, and libibverbs, which does not
// find it here, by write(2); neither is measured.
#define _GNU_SOURCE
#include "kernel.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/types.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_ioctl.h>
#include <rdma/rdma_user_cm.h>
#include <rdma/rdma_user_rxe.h>

enum {
    SLOTS = 512,
    CQ_SHIFT = 6,
    WORK_SHIFT = 9,
    OFFSET_SHIFT = 32,
    MOST_RINGS = 64,
    NETLINK_RDMA_PROTOCOL = 20,
    QUEUE_PAIR_NUMBER = 17,
};

#define LIBC(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

typedef struct rxe_queue_buf ring;

static int verbs = -1, cm = -1;
static uint32_t next_handle = 1;
static ring *rings[MOST_RINGS];
static int ring_count, newest_cq = -1, newest_sq = -1;
static int makes_calls, has_ioctl;
static long cm_commands, doorbells;
static struct ib_uverbs_qp_attr attributes;

void kernel_make_calls(int on) {
    makes_calls = on;
}

void kernel_has_ioctl(int on) {
    has_ioctl = on;
}

long kernel_cm_commands(void) {
    return cm_commands;
}

long kernel_doorbells(void) {
    return doorbells;
}

// ---- rings -----------------------------------------------------------------------------------------------------------

static struct mminfo make_ring(int shift) {
    int bytes = sizeof(ring) + (SLOTS << shift);
    ring *made = LIBC(mmap)(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    made->log2_elem_size = shift;
    made->index_mask = SLOTS - 1;
    rings[ring_count] = made;
    return (struct mminfo){.offset = (uint64_t)++ring_count << OFFSET_SHIFT, .size = bytes};
}

static void *slot(ring *of, uint32_t index) {
    return of->data + ((size_t)index << of->log2_elem_size);
}

int device_complete(int count) {
    ring *work = rings[newest_sq], *completions = rings[newest_cq];
    int done = 0;
    for (; done < count; done++) {
        uint32_t at = work->consumer_index, to = completions->producer_index;
        if (at == __atomic_load_n(&work->producer_index, __ATOMIC_ACQUIRE)) {
            break;
        }
        struct rxe_send_wqe *request = slot(work, at);
        struct ib_uverbs_wc completion = {
            .wr_id = request->wr.wr_id, .byte_len = request->dma.length, .qp_num = QUEUE_PAIR_NUMBER};
        memcpy(slot(completions, to), &completion, sizeof completion);
        __atomic_store_n(&work->consumer_index, (at + 1) & (SLOTS - 1), __ATOMIC_RELEASE);
        __atomic_store_n(&completions->producer_index, (to + 1) & (SLOTS - 1), __ATOMIC_RELEASE);
    }
    return done;
}

// ---- commands --------------------------------------------------------------------------------------------------------

static void reply(const void *command, size_t offset, const void *from, size_t bytes) {
    uint64_t to;
    memcpy(&to, (const char *)command + offset, sizeof to);
    memcpy((void *)(uintptr_t)to, from, bytes);
}

#define REPLY(response) reply(command, sizeof(struct ib_uverbs_cmd_hdr), &(response), sizeof(response))

static void create_cq(const void *command) {
    struct {
        struct ib_uverbs_create_cq_resp core;
        struct rxe_create_cq_resp driver;
    } made = {{.cq_handle = next_handle++, .cqe = SLOTS - 1}, {make_ring(CQ_SHIFT)}};
    newest_cq = ring_count - 1;
    REPLY(made);
}

static void create_qp(const void *command) {
    struct {
        struct ib_uverbs_create_qp_resp core;
        struct rxe_create_qp_resp driver;
    } made = {
        {.qp_handle = next_handle++, .qpn = QUEUE_PAIR_NUMBER, .max_send_wr = SLOTS - 1, .max_recv_wr = SLOTS - 1,
         .max_send_sge = 4, .max_recv_sge = 4, .max_inline_data = 64},
        {.rq_mi = make_ring(WORK_SHIFT), .sq_mi = make_ring(WORK_SHIFT)},
    };
    newest_sq = (made.driver.sq_mi.offset >> OFFSET_SHIFT) - 1;
    REPLY(made);
}

static void make(const void *command) {
    uint32_t kind = ((const struct ib_uverbs_cmd_hdr *)command)->command & IB_USER_VERBS_CMD_COMMAND_MASK;
    switch (kind) {
    case IB_USER_VERBS_CMD_GET_CONTEXT: {
        struct ib_uverbs_get_context_resp made = {
            .async_fd = LIBC(open)("/dev/null", O_RDWR | O_CLOEXEC), .num_comp_vectors = 1};
        REPLY(made);
        break;
    }
    case IB_USER_VERBS_CMD_QUERY_PORT: {
        struct ib_uverbs_query_port_resp made = {.state = 4, .max_msg_sz = 1 << 20, .active_mtu = 3, .link_layer = 2};
        REPLY(made);
        break;
    }
    case IB_USER_VERBS_CMD_ALLOC_PD: {
        struct ib_uverbs_alloc_pd_resp made = {next_handle++};
        REPLY(made);
        break;
    }
    case IB_USER_VERBS_CMD_REG_MR: {
        struct ib_uverbs_reg_mr_resp made = {next_handle++, 1, 1};
        REPLY(made);
        break;
    }
    case IB_USER_VERBS_CMD_CREATE_CQ:
        create_cq(command);
        break;
    case IB_USER_VERBS_CMD_CREATE_QP:
        create_qp(command);
        break;
    default: // needs no answer
        break;
    }
}

static void manage(const struct rdma_ucm_cmd_hdr *command) {
    const void *body = command + 1;
    cm_commands++;
    switch (command->cmd) {
    case RDMA_USER_CM_CMD_CREATE_ID: {
        struct rdma_ucm_create_id_resp made = {next_handle++};
        reply(body, offsetof(struct rdma_ucm_create_id, response), &made, sizeof made);
        break;
    }
    case RDMA_USER_CM_CMD_DESTROY_ID: {
        struct rdma_ucm_destroy_id_resp destroyed = {0};
        reply(body, offsetof(struct rdma_ucm_destroy_id, response), &destroyed, sizeof destroyed);
        break;
    }
    case RDMA_USER_CM_CMD_INIT_QP_ATTR:
        attributes.qp_state = ((const struct rdma_ucm_init_qp_attr *)body)->qp_state;
        attributes.dest_qp_num = QUEUE_PAIR_NUMBER;
        reply(body, offsetof(struct rdma_ucm_init_qp_attr, response), &attributes, sizeof attributes);
        break;
    case RDMA_USER_CM_CMD_QUERY: {
        static const struct rdma_ucm_query_addr_resp none;
        reply(body, offsetof(struct rdma_ucm_query, response), &none, command->out);
        break;
    }
    default:
        break;
    }
}

ssize_t write(int fd, const void *from, size_t bytes) {
    if (fd < 0 || (fd != verbs && fd != cm)) {
        return LIBC(write)(fd, from, bytes);
    }
    if (makes_calls) {
        syscall(SYS_getppid);
    }
    if (fd == cm) {
        manage(from);
    } else if (((const struct ib_uverbs_cmd_hdr *)from)->command == IB_USER_VERBS_CMD_POST_SEND) {
        doorbells++;
    } else {
        make(from);
    }
    return bytes;
}

// ---- files -----------------------------------------------------------------------------------------------------------

static int is_node(const char *path, const char *name) {
    static const char NODES[] = "/dev/infiniband/";
    return !strncmp(path, NODES, sizeof NODES - 1) && !strncmp(path + sizeof NODES - 1, name, strlen(name));
}

// Its number, 1:3, is what sysfs says.
static int open_node(int *node) {
    return *node = LIBC(open)("/dev/null", O_RDWR | O_CLOEXEC);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t rights = va_arg(rest, int);
    va_end(rest);
    return is_node(path, "uverbs") ? open_node(&verbs)
           : is_node(path, "rdma_cm") ? open_node(&cm)
                                      : LIBC(open)(path, flags, rights);
}

int stat(const char *path, struct stat *found) {
    return LIBC(stat)(is_node(path, "") ? "/dev/null" : path, found);
}

int close(int fd) {
    if (fd >= 0 && fd == verbs) {
        verbs = -1;
    } else if (fd >= 0 && fd == cm) {
        cm = -1;
    }
    return LIBC(close)(fd);
}

// Without netlink the libraries look for devices in sysfs, which can be anywhere.
int socket(int domain, int type, int protocol) {
    if (domain == AF_NETLINK && protocol == NETLINK_RDMA_PROTOCOL) {
        errno = EPROTONOSUPPORT;
        return -1;
    }
    return LIBC(socket)(domain, type, protocol);
}

void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
    return fd >= 0 && fd == verbs ? rings[(offset >> OFFSET_SHIFT) - 1]
                                  : LIBC(mmap)(at, length, protection, flags, fd, offset);
}

// ---- the ioctl for verbs ----------------------------------------------------------------------------------------------

static struct ib_uverbs_attr *attribute(struct ib_uverbs_ioctl_hdr *command, int id) {
    for (int i = 0; i < command->num_attrs; i++) {
        if (command->attrs[i].attr_id == id) {
            return &command->attrs[i];
        }
    }
    return NULL;
}

static void answer(struct ib_uverbs_ioctl_hdr *command, int id, const void *from, size_t bytes) {
    struct ib_uverbs_attr *to = attribute(command, id);
    if (to) {
        memcpy((void *)(uintptr_t)to->data, from, bytes < to->len ? bytes : to->len);
    }
}

#define ANSWER(id, value) answer(command, id, &(value), sizeof(value))

static void made(struct ib_uverbs_ioctl_hdr *command, int id, uint32_t number) {
    attribute(command, id)->data = number;
}

// A command of the write set, with its reply in a place of its own until it is known where it goes.
static void invoke_write(struct ib_uverbs_ioctl_hdr *command) {
    struct {
        struct ib_uverbs_cmd_hdr header;
        uint64_t body[64];
    } written = {{.command = attribute(command, UVERBS_ATTR_WRITE_CMD)->data}, {0}};
    uint64_t replied[64] = {0};
    struct ib_uverbs_attr *in = attribute(command, UVERBS_ATTR_CORE_IN);
    memcpy(written.body, in->len > sizeof in->data ? (void *)(uintptr_t)in->data : &in->data, in->len);
    struct ib_uverbs_attr *out = attribute(command, UVERBS_ATTR_CORE_OUT);
    if (out) {
        written.body[0] = (uintptr_t)replied;
    }
    make(&written);
    ANSWER(UVERBS_ATTR_CORE_OUT, replied);
}

static void create_cq_by_ioctl(struct ib_uverbs_ioctl_hdr *command) {
    uint32_t cqe = SLOTS - 1;
    struct rxe_create_cq_resp driver = {make_ring(CQ_SHIFT)};
    newest_cq = ring_count - 1;
    made(command, UVERBS_ATTR_CREATE_CQ_HANDLE, next_handle++);
    ANSWER(UVERBS_ATTR_CREATE_CQ_RESP_CQE, cqe);
    ANSWER(UVERBS_ATTR_UHW_OUT, driver);
}

static void create_qp_by_ioctl(struct ib_uverbs_ioctl_hdr *command) {
    uint32_t number = QUEUE_PAIR_NUMBER;
    struct ib_uverbs_qp_cap cap = {SLOTS - 1, SLOTS - 1, 4, 4, 64};
    struct rxe_create_qp_resp driver = {.rq_mi = make_ring(WORK_SHIFT), .sq_mi = make_ring(WORK_SHIFT)};
    newest_sq = (driver.sq_mi.offset >> OFFSET_SHIFT) - 1;
    made(command, UVERBS_ATTR_CREATE_QP_HANDLE, next_handle++);
    ANSWER(UVERBS_ATTR_CREATE_QP_RESP_CAP, cap);
    ANSWER(UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, number);
    ANSWER(UVERBS_ATTR_UHW_OUT, driver);
}

#define METHOD(object, method) ((object) << 16 | (method))

static void carry_out(struct ib_uverbs_ioctl_hdr *command) {
    switch (METHOD(command->object_id, command->method_id)) {
    case METHOD(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE):
        invoke_write(command);
        break;
    case METHOD(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT): {
        uint32_t vectors = 1;
        ANSWER(UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, vectors);
        break;
    }
    case METHOD(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT): {
        struct ib_uverbs_query_port_resp_ex port = {
            .legacy_resp = {.state = 4, .max_msg_sz = 1 << 20, .active_mtu = 3, .link_layer = 2}};
        ANSWER(UVERBS_ATTR_QUERY_PORT_RESP, port);
        break;
    }
    case METHOD(UVERBS_OBJECT_ASYNC_EVENT, UVERBS_METHOD_ASYNC_EVENT_ALLOC):
        made(command, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, LIBC(open)("/dev/null", O_RDWR | O_CLOEXEC));
        break;
    case METHOD(UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE):
        create_cq_by_ioctl(command);
        break;
    case METHOD(UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE):
        create_qp_by_ioctl(command);
        break;
    default: // needs no answer
        break;
    }
}

int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (fd >= 0 && fd == verbs && request == RDMA_VERBS_IOCTL && has_ioctl) {
        carry_out(argument);
        return 0;
    }
    if (fd >= 0 && (fd == verbs || fd == cm)) {
        errno = ENOTTY;
        return -1;
    }
    int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
    return real(fd, request, argument);
}
