// SPDX-License-Identifier: Apache-2.0
//
// The RDMA device behind QEMU's pvrdma, preloaded into QEMU (LD_PRELOAD): it stands in for the functions of libibverbs
// that QEMU calls. Its queue pairs reach each other inside the process, and a message is copied from the one's memory to
// the other's. So a guest has an RDMA device on a machine that has none.
//
// QEMU makes every call under its global lock. Only the multiplexer below has a thread of its own, and shares the GIDs.
// A completion is there when the post returns; QEMU fetches it when the guest asks for it, and no event is ever raised.
//
// rdmacm-mux, the daemon that shares a host's GIDs and connection manager among guests, is a thread that agrees to
// every request. It remembers the GIDs, and drops what the guest's connection manager sends.
#define _GNU_SOURCE
#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#undef ibv_query_port
#undef ibv_reg_mr

enum {
    MOST_SGE = 4,
    // The guest's driver keeps a table of its queue pairs by number, with as many places as QEMU announces.
    MOST_QPS = 1024,
    // 0 and 1 have a meaning of their own.
    FIRST_QPN = 2,
    MOST_MRS = 1024,
    MOST_GIDS = 256,
    // QEMU takes index 0 for an error. A GID that the guest has not set must be found, too: QEMU would search for ever.
    UNSET_GID = 1,
    GRH_BYTES = sizeof(struct ibv_grh),
};

struct message {
    struct message *next;
    uint64_t wr_id;
    int num_sge;
    struct ibv_sge sge[MOST_SGE];
    uint32_t qpn, qkey;
    struct ibv_ah_attr to;
};

struct list {
    struct message *first, *last;
};

struct completion {
    struct completion *next;
    struct ibv_wc wc;
};

struct cq {
    struct ibv_cq base;
    struct completion *first, *last;
};

struct srq {
    struct ibv_srq base;
    struct list receives;
};

struct qp {
    struct ibv_qp base;
    struct ibv_qp_attr attr;
    struct ibv_qp_init_attr init;
    struct list sends, receives;
};

struct ah {
    struct ibv_ah base;
    struct ibv_ah_attr attr;
};

struct mr {
    struct ibv_mr base;
    uint64_t iova;
};

static struct ibv_device device = {.node_type = IBV_NODE_CA, .transport_type = IBV_TRANSPORT_IB,
    .name = "rdma4j", .dev_name = "uverbs-rdma4j"};
static struct ibv_context context;
static struct qp *qps[MOST_QPS];
static struct mr *mrs[MOST_MRS];
static union ibv_gid gids[MOST_GIDS];
static int gid_count = UNSET_GID + 1;
static pthread_mutex_t gid_lock = PTHREAD_MUTEX_INITIALIZER;

// ---- lists --------------------------------------------------------------------------------------------------------

static void append(struct list *list, struct message *message) {
    message->next = NULL;
    *(list->first ? &list->last->next : &list->first) = message;
    list->last = message;
}

static void drop_first(struct list *list) {
    struct message *first = list->first;
    list->first = first->next;
    free(first);
}

static struct message *message_of(uint64_t wr_id, struct ibv_sge *sge, int num_sge) {
    struct message *message = num_sge <= MOST_SGE ? calloc(1, sizeof *message) : NULL;
    if (message) {
        message->wr_id = wr_id;
        message->num_sge = num_sge;
        memcpy(message->sge, sge, num_sge * sizeof *sge);
    }
    return message;
}

static void complete(struct ibv_cq *base, struct qp *qp, uint64_t wr_id, int status, int opcode, struct ibv_wc *more) {
    struct cq *cq = (struct cq *) base;
    struct completion *completion = calloc(1, sizeof *completion);
    if (!completion) {
        abort();
    }
    if (more) {
        completion->wc = *more;
    }
    completion->wc.wr_id = wr_id;
    completion->wc.status = status;
    completion->wc.opcode = opcode;
    completion->wc.qp_num = qp->base.qp_num;
    *(cq->first ? &cq->last->next : &cq->first) = completion;
    cq->last = completion;
}

static void forget(struct ibv_cq *base, uint32_t qpn) {
    struct cq *cq = (struct cq *) base;
    struct completion **at = &cq->first;
    cq->last = NULL;
    while (*at) {
        struct completion *completion = *at;
        if (completion->wc.qp_num == qpn) {
            *at = completion->next;
            free(completion);
        } else {
            cq->last = completion;
            at = &completion->next;
        }
    }
}

static void clear(struct qp *qp) {
    while (qp->sends.first) {
        drop_first(&qp->sends);
    }
    while (qp->receives.first) {
        drop_first(&qp->receives);
    }
}

// ---- messages -----------------------------------------------------------------------------------------------------

static void fail(struct qp *qp) {
    qp->attr.qp_state = IBV_QPS_ERR;
    for (; qp->sends.first; drop_first(&qp->sends)) {
        complete(qp->base.send_cq, qp, qp->sends.first->wr_id, IBV_WC_WR_FLUSH_ERR, IBV_WC_SEND, NULL);
    }
    for (; qp->receives.first; drop_first(&qp->receives)) {
        complete(qp->base.recv_cq, qp, qp->receives.first->wr_id, IBV_WC_WR_FLUSH_ERR, IBV_WC_RECV, NULL);
    }
}

static void finish_send(struct qp *qp, int status) {
    complete(qp->base.send_cq, qp, qp->sends.first->wr_id, status, IBV_WC_SEND, NULL);
    drop_first(&qp->sends);
    if (status != IBV_WC_SUCCESS) {
        fail(qp);
    }
}

static char *memory_of(const struct qp *qp, const struct ibv_sge *sge, int access) {
    const struct mr *mr = sge->lkey < MOST_MRS ? mrs[sge->lkey] : NULL;
    if (!mr || mr->base.pd != qp->base.pd || (access && !(mr->base.handle & access))) {
        return NULL;
    }
    uint64_t offset = sge->addr - mr->iova;
    if (sge->addr < mr->iova || offset > mr->base.length || sge->length > mr->base.length - offset) {
        return NULL;
    }
    return (char *) mr->base.addr + offset;
}

// The length of the message, or -1 if a piece lies outside of its memory region.
static int64_t length_of(const struct qp *qp, const struct message *message, int access) {
    int64_t length = 0;
    for (int i = 0; i < message->num_sge; i++) {
        if (message->sge[i].length && !memory_of(qp, &message->sge[i], access)) {
            return -1;
        }
        length += message->sge[i].length;
    }
    return length;
}

// Copies into the pieces of a receive, of which the first `done` bytes are taken. All of it fits.
static void put(const struct qp *qp, const struct message *receive, int64_t done, const char *from, int64_t length) {
    for (int i = 0; length > 0 && i < receive->num_sge; i++) {
        const struct ibv_sge *sge = &receive->sge[i];
        if (done >= sge->length) {
            done -= sge->length;
            continue;
        }
        int64_t part = sge->length - done < length ? sge->length - done : length;
        memmove(memory_of(qp, sge, 0) + done, from, part);
        from += part;
        length -= part;
        done = 0;
    }
}

static void header(const struct message *send, int64_t length, struct ibv_grh *grh) {
    memset(grh, 0, sizeof *grh);
    grh->version_tclass_flow = htobe32(6u << 28);
    grh->paylen = htobe16(length);
    grh->next_hdr = 0x1b;
    grh->hop_limit = send->to.grh.hop_limit;
    grh->dgid = send->to.grh.dgid;
    pthread_mutex_lock(&gid_lock);
    grh->sgid = gids[send->to.grh.sgid_index % MOST_GIDS];
    pthread_mutex_unlock(&gid_lock);
}

// Takes a receive. The sender's status is the result.
static int deliver(struct qp *from, const struct message *send, int64_t length, struct qp *to, struct list *receives) {
    struct message *receive = receives->first;
    int datagram = from->base.qp_type == IBV_QPT_UD;
    int64_t before = datagram ? GRH_BYTES : 0;
    int64_t room = length_of(to, receive, IBV_ACCESS_LOCAL_WRITE);
    int fits = room >= before + length;
    if (fits) {
        struct ibv_grh grh;
        header(send, length, &grh);
        put(to, receive, 0, (const char *) &grh, before);
        int64_t done = before;
        for (int i = 0; i < send->num_sge; i++) {
            put(to, receive, done, memory_of(from, &send->sge[i], 0), send->sge[i].length);
            done += send->sge[i].length;
        }
    }
    struct ibv_wc wc = {.byte_len = before + length, .src_qp = from->base.qp_num, .wc_flags = datagram ? IBV_WC_GRH : 0};
    int status = fits ? IBV_WC_SUCCESS : room < 0 ? IBV_WC_LOC_PROT_ERR : IBV_WC_LOC_LEN_ERR;
    complete(to->base.recv_cq, to, receive->wr_id, status, IBV_WC_RECV, &wc);
    drop_first(receives);
    if (fits) {
        return IBV_WC_SUCCESS;
    }
    fail(to);
    return datagram ? IBV_WC_SUCCESS : room < 0 ? IBV_WC_REM_OP_ERR : IBV_WC_REM_INV_REQ_ERR;
}

static struct qp *peer_of(const struct qp *qp) {
    uint32_t qpn = qp->base.qp_type == IBV_QPT_UD ? qp->sends.first->qpn : qp->attr.dest_qp_num;
    struct qp *peer = qpn < MOST_QPS ? qps[qpn] : NULL;
    return peer && peer->base.qp_type == qp->base.qp_type ? peer : NULL;
}

static int receives(const struct qp *qp) {
    return qp->attr.qp_state == IBV_QPS_RTR || qp->attr.qp_state == IBV_QPS_RTS;
}

// The first send of a queue; returns 0 if it has to wait.
static int advance(struct qp *qp) {
    int64_t length = length_of(qp, qp->sends.first, 0);
    if (length < 0) {
        finish_send(qp, IBV_WC_LOC_PROT_ERR);
        return 1;
    }
    struct qp *peer = peer_of(qp);
    struct list *list = peer ? (peer->base.srq ? &((struct srq *) peer->base.srq)->receives : &peer->receives) : NULL;
    if (qp->base.qp_type == IBV_QPT_UD) {
        // What nobody takes is lost.
        int taken = peer && receives(peer) && list->first && peer->attr.qkey == qp->sends.first->qkey;
        finish_send(qp, taken ? deliver(qp, qp->sends.first, length, peer, list) : IBV_WC_SUCCESS);
        return 1;
    }
    if (!peer || peer->attr.qp_state == IBV_QPS_ERR) {
        finish_send(qp, IBV_WC_RETRY_EXC_ERR);
        return 1;
    }
    if (!receives(peer) || !list->first) {
        return 0;
    }
    finish_send(qp, deliver(qp, qp->sends.first, length, peer, list));
    return 1;
}

// Goes on until no send of any queue can do anything more.
static void advance_all(void) {
    for (int moved = 1; moved;) {
        moved = 0;
        for (int i = FIRST_QPN; i < MOST_QPS; i++) {
            while (qps[i] && qps[i]->sends.first && advance(qps[i])) {
                moved = 1;
            }
        }
    }
}

static int post_send(struct ibv_qp *base, struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
    struct qp *qp = (struct qp *) base;
    struct message *message = message_of(wr->wr_id, wr->sg_list, wr->num_sge);
    if (!message || (qp->attr.qp_state != IBV_QPS_RTS && qp->attr.qp_state != IBV_QPS_ERR)) {
        free(message);
        *bad = wr;
        return EINVAL;
    }
    if (base->qp_type == IBV_QPT_UD) {
        message->qpn = wr->wr.ud.remote_qpn;
        message->qkey = wr->wr.ud.remote_qkey;
        message->to = ((struct ah *) wr->wr.ud.ah)->attr;
    }
    append(&qp->sends, message);
    if (qp->attr.qp_state == IBV_QPS_ERR) {
        fail(qp);
    }
    advance_all();
    return 0;
}

static int post_receive(struct list *list, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
    struct message *message = message_of(wr->wr_id, wr->sg_list, wr->num_sge);
    if (!message) {
        *bad = wr;
        return EINVAL;
    }
    append(list, message);
    return 0;
}

static int post_recv(struct ibv_qp *base, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
    struct qp *qp = (struct qp *) base;
    int status = post_receive(&qp->receives, wr, bad);
    if (qp->attr.qp_state == IBV_QPS_ERR) {
        fail(qp);
    }
    advance_all();
    return status;
}

static int post_srq_recv(struct ibv_srq *base, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
    int status = post_receive(&((struct srq *) base)->receives, wr, bad);
    advance_all();
    return status;
}

static int poll_cq(struct ibv_cq *base, int room, struct ibv_wc *wc) {
    struct cq *cq = (struct cq *) base;
    int taken = 0;
    while (taken < room && cq->first) {
        struct completion *completion = cq->first;
        cq->first = completion->next;
        wc[taken++] = completion->wc;
        free(completion);
    }
    return taken;
}

static int req_notify_cq(struct ibv_cq *cq, int solicited) {
    return 0;
}

// ---- objects ------------------------------------------------------------------------------------------------------

struct ibv_device **ibv_get_device_list(int *count) {
    struct ibv_device **list = calloc(2, sizeof *list);
    list[0] = &device;
    *count = 1;
    return list;
}

void ibv_free_device_list(struct ibv_device **list) {
    free(list);
}

const char *ibv_get_device_name(struct ibv_device *of) {
    return of->name;
}

struct ibv_context *ibv_open_device(struct ibv_device *of) {
    context = (struct ibv_context){.device = of, .cmd_fd = -1, .async_fd = -1, .num_comp_vectors = 1};
    context.ops.poll_cq = poll_cq;
    context.ops.req_notify_cq = req_notify_cq;
    context.ops.post_send = post_send;
    context.ops.post_recv = post_recv;
    context.ops.post_srq_recv = post_srq_recv;
    return &context;
}

int ibv_close_device(struct ibv_context *of) {
    return 0;
}

int ibv_query_device(struct ibv_context *of, struct ibv_device_attr *attr) {
    memset(attr, 0, sizeof *attr);
    attr->max_mr_size = UINT64_MAX;
    attr->max_qp = MOST_QPS;
    attr->max_sge = MOST_SGE;
    attr->max_cq = attr->max_pd = attr->max_ah = attr->max_srq = 1 << 16;
    attr->max_mr = MOST_MRS;
    // Said so that QEMU does not warn; it never sends a read or an atomic operation.
    attr->max_qp_rd_atom = attr->max_qp_init_rd_atom = 16;
    return 0;
}

int ibv_query_port(struct ibv_context *of, uint8_t port, struct _compat_ibv_port_attr *result) {
    struct ibv_port_attr *attr = (struct ibv_port_attr *) result;
    attr->state = IBV_PORT_ACTIVE;
    attr->max_mtu = attr->active_mtu = IBV_MTU_1024;
    attr->gid_tbl_len = MOST_GIDS;
    attr->pkey_tbl_len = 1;
    attr->phys_state = 5;
    return 0;
}

int ibv_query_gid(struct ibv_context *of, uint8_t port, int index, union ibv_gid *gid) {
    pthread_mutex_lock(&gid_lock);
    int known = index < gid_count;
    if (known) {
        *gid = gids[index];
    }
    pthread_mutex_unlock(&gid_lock);
    return known ? 0 : -1;
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *of) {
    struct ibv_comp_channel *channel = calloc(1, sizeof *channel);
    channel->context = of;
    channel->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return channel;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel) {
    close(channel->fd);
    free(channel);
    return 0;
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cq_context) {
    errno = EAGAIN;
    return -1;
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int count) {
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *of) {
    struct ibv_pd *pd = calloc(1, sizeof *pd);
    pd->context = of;
    return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd) {
    free(pd);
    return 0;
}

struct ibv_mr *ibv_reg_mr_iova2(
        struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, unsigned int access) {
    for (uint32_t key = 1; key < MOST_MRS; key++) {
        if (!mrs[key]) {
            struct mr *mr = calloc(1, sizeof *mr);
            mr->base = (struct ibv_mr){.context = pd->context, .pd = pd, .addr = addr, .length = length,
                .handle = access, .lkey = key, .rkey = key};
            mr->iova = iova;
            mrs[key] = mr;
            return &mr->base;
        }
    }
    errno = ENOMEM;
    return NULL;
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access) {
    return ibv_reg_mr_iova2(pd, addr, length, (uintptr_t) addr, access);
}

int ibv_dereg_mr(struct ibv_mr *mr) {
    mrs[mr->lkey] = NULL;
    free(mr);
    return 0;
}

struct ibv_cq *ibv_create_cq(
        struct ibv_context *of, int cqe, void *cq_context, struct ibv_comp_channel *channel, int vector) {
    struct cq *cq = calloc(1, sizeof *cq);
    cq->base.context = of;
    cq->base.channel = channel;
    cq->base.cqe = cqe;
    return &cq->base;
}

int ibv_destroy_cq(struct ibv_cq *base) {
    struct ibv_wc wc;
    while (poll_cq(base, 1, &wc)) {
    }
    free(base);
    return 0;
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *init) {
    struct srq *srq = calloc(1, sizeof *srq);
    srq->base.context = pd->context;
    srq->base.pd = pd;
    return &srq->base;
}

int ibv_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask) {
    return 0;
}

int ibv_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr) {
    memset(attr, 0, sizeof *attr);
    return 0;
}

int ibv_destroy_srq(struct ibv_srq *base) {
    struct srq *srq = (struct srq *) base;
    while (srq->receives.first) {
        drop_first(&srq->receives);
    }
    free(srq);
    return 0;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *init) {
    static int last = FIRST_QPN - 1;
    for (int tried = FIRST_QPN; tried < MOST_QPS; tried++) {
        // In turn, so that a late request does not find another queue pair of the same number.
        last = last + 1 < MOST_QPS ? last + 1 : FIRST_QPN;
        if (!qps[last]) {
            struct qp *qp = calloc(1, sizeof *qp);
            qp->base = (struct ibv_qp){.context = pd->context, .pd = pd, .send_cq = init->send_cq,
                .recv_cq = init->recv_cq, .srq = init->srq, .qp_num = last, .qp_type = init->qp_type};
            qp->init = *init;
            qps[last] = qp;
            return &qp->base;
        }
    }
    errno = ENOMEM;
    return NULL;
}

int ibv_query_qp(struct ibv_qp *base, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init) {
    struct qp *qp = (struct qp *) base;
    *attr = qp->attr;
    attr->cap = qp->init.cap;
    *init = qp->init;
    return 0;
}

// QEMU passes the changes to INIT, RTR and RTS on, and no others.
int ibv_modify_qp(struct ibv_qp *base, struct ibv_qp_attr *attr, int mask) {
    struct qp *qp = (struct qp *) base;
    if (attr->qp_state == IBV_QPS_INIT && qp->attr.qp_state != IBV_QPS_INIT) {
        clear(qp);
        forget(base->send_cq, base->qp_num);
        forget(base->recv_cq, base->qp_num);
    }
    if (mask & IBV_QP_QKEY) {
        qp->attr.qkey = attr->qkey;
    }
    if (mask & IBV_QP_DEST_QPN) {
        qp->attr.dest_qp_num = attr->dest_qp_num;
    }
    if (mask & IBV_QP_AV) {
        qp->attr.ah_attr = attr->ah_attr;
    }
    if (mask & IBV_QP_RQ_PSN) {
        qp->attr.rq_psn = attr->rq_psn;
    }
    if (mask & IBV_QP_SQ_PSN) {
        qp->attr.sq_psn = attr->sq_psn;
    }
    qp->attr.path_mtu = IBV_MTU_1024;
    qp->attr.qp_state = attr->qp_state;
    base->state = attr->qp_state;
    advance_all();
    return 0;
}

int ibv_destroy_qp(struct ibv_qp *base) {
    struct qp *qp = (struct qp *) base;
    clear(qp);
    forget(base->send_cq, base->qp_num);
    forget(base->recv_cq, base->qp_num);
    qps[base->qp_num] = NULL;
    free(qp);
    advance_all();
    return 0;
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr) {
    struct ah *ah = calloc(1, sizeof *ah);
    ah->base.context = pd->context;
    ah->base.pd = pd;
    ah->attr = *attr;
    return &ah->base;
}

int ibv_destroy_ah(struct ibv_ah *ah) {
    free(ah);
    return 0;
}

// ---- rdmacm-mux ---------------------------------------------------------------------------------------------------

// RdmaCmMuxMsg of QEMU's contrib/rdmacm-mux.
struct mux_message {
    uint32_t type, operation;
    union ibv_gid gid;
    uint32_t error, reserved;
    uint32_t mad_length;
    char mad[324];
};

_Static_assert(sizeof(struct mux_message) == 360, "RdmaCmMuxMsg has 360 bytes");

enum { REQUEST = 0, RESPONSE = 1, REGISTER = 0 };

static void remember(const union ibv_gid *gid) {
    pthread_mutex_lock(&gid_lock);
    int known = 0;
    for (int i = UNSET_GID; i < gid_count; i++) {
        known |= memcmp(&gids[i], gid, sizeof *gid) == 0;
    }
    if (!known && gid_count < MOST_GIDS) {
        gids[gid_count++] = *gid;
    }
    pthread_mutex_unlock(&gid_lock);
}

static void *serve(void *listener) {
    int connection = accept((int) (intptr_t) listener, NULL, NULL);
    struct mux_message message;
    while (recv(connection, &message, sizeof message, MSG_WAITALL) == sizeof message) {
        if (message.type != REQUEST) {
            continue;
        }
        if (message.operation == REGISTER) {
            remember(&message.gid);
        }
        message.type = RESPONSE;
        message.error = 0;
        if (send(connection, &message, sizeof message, MSG_NOSIGNAL) != sizeof message) {
            break;
        }
    }
    close(connection);
    return NULL;
}

// Listens before QEMU's main begins, which connects.
__attribute__((constructor)) static void start(void) {
    const char *path = getenv("RDMA4J_PVRDMA_MUX");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    pthread_t thread;
    memset(&gids[0], 0xff, sizeof gids[0]);
    if (!path || strlen(path) >= sizeof address.sun_path) {
        return;
    }
    unsetenv("LD_PRELOAD");
    strcpy(address.sun_path, path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *) &address, sizeof address) || listen(listener, 1)
            || pthread_create(&thread, NULL, serve, (void *) (intptr_t) listener)) {
        perror("rdma4j: the multiplexer of pvrdma");
        exit(1);
    }
}
