// SPDX-License-Identifier: Apache-2.0
//
// Plays a script of verbs on a driver's library over the kernel of kernel.c and writes down what a device would see.
//
// usage: player MODE... < SCRIPT
//
// The output is the script, and below each line, two columns further right, what came of it. Player.java does the same.
#define _GNU_SOURCE
#include "driver.h"
#include "kernel.h"
#include "text.h"

#include <endian.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <linux/types.h>
#include <rdma/ib_user_verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    MOST_PIECES = 32,
    MOST_CHAIN = 64,
    MOST_COMPLETIONS = 64,
    LINE = 4096,
    FIRST_ENTRY = 64,
    UNTOUCHED = 0xee,
    DATA_BYTES = 1 << 20,
};

// What the pieces of requests are offsets in.
#define DATA ((uint8_t *)0x200000000000)

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_comp_channel *channel;
static struct ibv_xrcd *xrcd;
static struct ibv_send_wr chain[MOST_CHAIN];
static struct ibv_sge chain_pieces[MOST_CHAIN][MOST_PIECES];
static struct ibv_mw chain_windows[MOST_CHAIN];
static struct ibv_mr chain_regions[MOST_CHAIN];
static int chained;

// ---- what the device sees --------------------------------------------------------------------------------------------

static void clear_doorbells(void) {
    for (int i = 0; i < kernel_pages(); i++) {
        memset(kernel_page(i), UNTOUCHED, PAGE);
    }
}

__attribute__((weak)) void driver_print_stores(void) {}
__attribute__((weak)) void driver_ignore_stores(int from_now_on) {}

static void print_doorbells(void) {
    driver_print_stores();
    uint64_t untouched;
    memset(&untouched, UNTOUCHED, sizeof untouched);
    for (int i = 0; i < kernel_pages(); i++) {
        for (int at = 0; at < PAGE; at += sizeof untouched) {
            if (memcmp(kernel_page(i) + at, &untouched, sizeof untouched)) {
                driver_print_doorbell(i, at, kernel_page(i) + at);
            }
        }
    }
    clear_doorbells();
}

static void print_request(struct queue *of) {
    driver_hide(of);
    printf("  request ");
    bytes(of->request, of->request_bytes);
}

// ---- objects ---------------------------------------------------------------------------------------------------------

// cq NAME ENTRIES
static void make_cq(void) {
    struct object *cq = add(word[1], ibv_create_cq(context, decimal(2), NULL, channel, 0));
    cq->kernel = *kernel_last(CQ);
    driver_made_cq(cq);
    print_request(&cq->kernel);
    driver_print_record(cq);
    printf("  entry 0 ");
    bytes(cq->kernel.ring, FIRST_ENTRY);
}

// qp NAME rc|uc|ud|xrc SEND-CQ RECEIVE-CQ|- SRQ|- SEND-WR RECEIVE-WR SEND-SGE RECEIVE-SGE INLINE SIGNAL-ALL
static enum ibv_qp_type type_of(const char *name) {
    return !strcmp(name, "rc")   ? IBV_QPT_RC
           : !strcmp(name, "uc") ? IBV_QPT_UC
           : !strcmp(name, "ud") ? IBV_QPT_UD
                                 : IBV_QPT_XRC_SEND;
}

static void make_qp(void) {
    struct object *receives = find(word[4]), *srq = find(word[5]);
    enum ibv_qp_type type = type_of(word[2]);
    struct ibv_qp_init_attr wanted = {
        .send_cq = find(word[3])->verbs,
        .recv_cq = receives ? receives->verbs : NULL,
        .srq = srq ? srq->verbs : NULL,
        .qp_type = type,
        .sq_sig_all = decimal(11),
        .cap = {decimal(6), decimal(7), decimal(8), decimal(9), decimal(10)},
    };
    struct object *qp = add(word[1], ibv_create_qp(pd, &wanted));
    qp->kernel = *kernel_last(QP);
    qp->type = type;
    qp->srq = srq;
    driver_made_qp(qp, wanted.cap);
    print_request(&qp->kernel);
    driver_print_record(qp);
    driver_to_rts(qp);
}

// xsrq NAME CQ WR SGE: a shared receive queue of an XRC domain
static void make_xsrq(void) {
    if (!xrcd) {
        struct ibv_xrcd_init_attr alone = {
            .comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS, .fd = -1, .oflags = O_CREAT};
        xrcd = ibv_open_xrcd(context, &alone);
    }
    struct ibv_srq_init_attr_ex wanted = {
        .attr = {.max_wr = decimal(3), .max_sge = decimal(4)},
        .comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ,
        .srq_type = IBV_SRQT_XRC,
        .pd = pd,
        .xrcd = xrcd,
        .cq = find(word[2])->verbs,
    };
    struct object *srq = add(word[1], ibv_create_srq_ex(context, &wanted));
    srq->kernel = *kernel_last(SRQ);
    uint32_t number;
    driver_made_srq(srq, decimal(4));
    if (ibv_get_srq_num(srq->verbs, &number)) {
        fail("no number");
    }
    printf("  granted %u of %u, asked for %u\n", wanted.attr.max_wr, wanted.attr.max_sge, srq->kernel.asked);
    printf("  number %x\n", number);
    print_request(&srq->kernel);
    driver_print_record(srq);
}

// srq NAME WR SGE
static void make_srq(void) {
    struct ibv_srq_init_attr wanted = {.attr = {.max_wr = decimal(2), .max_sge = decimal(3)}};
    struct object *srq = add(word[1], ibv_create_srq(pd, &wanted));
    srq->kernel = *kernel_last(SRQ);
    driver_made_srq(srq, decimal(3));
    printf("  granted %u of %u, asked for %u\n", wanted.attr.max_wr, wanted.attr.max_sge, srq->kernel.asked);
    print_request(&srq->kernel);
    driver_print_record(srq);
}

// ah NAME SL RATE GLOBAL SGID-INDEX HOP-LIMIT CLASS FLOW-LABEL DLID PATH-BITS PREFIX INTERFACE
static void make_ah(void) {
    struct ibv_ah_attr to = {
        .sl = decimal(2), .static_rate = decimal(3), .is_global = decimal(4), .port_num = 1,
        .dlid = decimal(9), .src_path_bits = decimal(10),
        .grh = {.sgid_index = decimal(5), .hop_limit = decimal(6), .traffic_class = decimal(7), .flow_label = decimal(8)},
    };
    to.grh.dgid.global.subnet_prefix = htobe64(hexadecimal(11));
    to.grh.dgid.global.interface_id = htobe64(hexadecimal(12));
    add(word[1], ibv_create_ah(pd, &to));
}

// ---- posting ---------------------------------------------------------------------------------------------------------

// Pieces are OFFSET:LENGTH:KEY.
static int pieces(int first, struct ibv_sge *into) {
    int count = 0;
    into[0] = (struct ibv_sge){0}; // some libraries read a piece of a request without pieces
    for (; word[first + count]; count++) {
        unsigned long offset;
        unsigned length, key;
        if (sscanf(word[first + count], "%lu:%u:%x", &offset, &length, &key) != 3) {
            fail("no piece");
        }
        into[count] = (struct ibv_sge){(uintptr_t)DATA + offset, length, key};
    }
    return count;
}

// The binding of a window of type 2 is an operation of its own: not all drivers have such windows.
static enum ibv_wr_opcode opcode(const char *name) {
    if (!strcmp(name, "bind2")) {
        return IBV_WR_BIND_MW;
    }
    static const char *const NAMES[] = {"write", "write_imm", "send", "send_imm", "read",
                                        "cas", "fadd", "local_inv", "bind", "send_inv"};
    for (int i = 0; i < (int)(sizeof NAMES / sizeof *NAMES); i++) {
        if (!strcmp(name, NAMES[i])) {
            return (enum ibv_wr_opcode)i;
        }
    }
    fail("no operation");
    return 0;
}

static int flags(const char *letters) {
    return (strchr(letters, 's') ? IBV_SEND_SIGNALED : 0) | (strchr(letters, 'f') ? IBV_SEND_FENCE : 0) |
           (strchr(letters, 'o') ? IBV_SEND_SOLICITED : 0) | (strchr(letters, 'i') ? IBV_SEND_INLINE : 0);
}

// bind, bind2: IMMEDIATE is the key of the region, KEY the new key, COMPARE-ADD the length, and SWAP the rights
static void bind_window(struct ibv_send_wr *request) {
    struct ibv_mw *window = &chain_windows[chained];
    struct ibv_mr *region = &chain_regions[chained];
    // Of the new key of a window of type 2 a library may take the lowest byte, and the rest of the old key.
    *window = (struct ibv_mw){.type = strcmp(word[3], "bind2") ? IBV_MW_TYPE_1 : IBV_MW_TYPE_2, .rkey = hexadecimal(7) & ~0xff};
    *region = (struct ibv_mr){.lkey = hexadecimal(5), .rkey = hexadecimal(5)};
    request->bind_mw.mw = window;
    request->bind_mw.rkey = hexadecimal(7);
    request->bind_mw.bind_info = (struct ibv_mw_bind_info){
        .mr = region,
        .addr = hexadecimal(6),
        .length = hexadecimal(8),
        .mw_access_flags =
            hexadecimal(9) & (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC),
    };
}

static void post_chain(struct object *qp) {
    for (int i = 0; i + 1 < chained; i++) {
        chain[i].next = &chain[i + 1];
    }
    struct ibv_send_wr *refused = NULL;
    int error = ibv_post_send(qp->verbs, chain, &refused);
    printf("  posted %d of %d\n", error ? (int)(refused - chain) : chained, chained);
    chained = 0;
    if (driver_print_sent(qp)) {
        driver_print_record(qp);
    }
    print_doorbells();
}

// send|chain QP ID OPERATION FLAGS IMMEDIATE REMOTE KEY COMPARE-ADD SWAP AH|- QPN|SRQN QKEY PIECE...
static void post_send(int last) {
    struct object *qp = find(word[1]);
    struct ibv_send_wr *request = &chain[chained];
    *request = (struct ibv_send_wr){
        .wr_id = decimal(2),
        .opcode = opcode(word[3]),
        .send_flags = flags(word[4]),
        .imm_data = htobe32(hexadecimal(5)),
        .sg_list = chain_pieces[chained],
        .num_sge = pieces(13, chain_pieces[chained]),
    };
    if (request->opcode == IBV_WR_BIND_MW) {
        bind_window(request);
    }
    if (request->opcode == IBV_WR_LOCAL_INV || request->opcode == IBV_WR_SEND_WITH_INV) {
        request->invalidate_rkey = hexadecimal(5);
    }
    chained++;
    struct object *ah = find(word[10]);
    if (qp->type == IBV_QPT_XRC_SEND) {
        request->qp_type.xrc.remote_srqn = hexadecimal(11);
    }
    if (ah) {
        request->wr.ud.ah = ah->verbs;
        request->wr.ud.remote_qpn = hexadecimal(11);
        request->wr.ud.remote_qkey = hexadecimal(12);
    } else if (request->opcode == IBV_WR_ATOMIC_CMP_AND_SWP || request->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
        request->wr.atomic.remote_addr = hexadecimal(6);
        request->wr.atomic.rkey = hexadecimal(7);
        request->wr.atomic.compare_add = hexadecimal(8);
        request->wr.atomic.swap = hexadecimal(9);
    } else {
        request->wr.rdma.remote_addr = hexadecimal(6);
        request->wr.rdma.rkey = hexadecimal(7);
    }
    if (last) {
        post_chain(qp);
    }
}

// recv QP|SRQ ID PIECE...
static void post_receive(void) {
    struct object *to = find(word[1]);
    struct ibv_sge list[MOST_PIECES];
    struct ibv_recv_wr request = {.wr_id = decimal(2), .sg_list = list, .num_sge = pieces(3, list)}, *refused;
    int shared = to->kernel.kind == SRQ;
    if (shared ? ibv_post_srq_recv(to->verbs, &request, &refused) : ibv_post_recv(to->verbs, &request, &refused)) {
        printf("  full\n");
        return;
    }
    if (shared) {
        driver_print_posted(to);
    } else {
        driver_print_received(to);
    }
    driver_print_record(to);
    print_doorbells();
}

// ---- the device ------------------------------------------------------------------------------------------------------

// take SRQ: the device takes the next entry
static void take(void) {
    driver_take(find(word[1]));
}

// cqe CQ QP WORD...
static void complete(void) {
    driver_complete(find(word[1]), find(word[2]));
}

// xcqe CQ XSRQ WORD...
static void complete_xrc(void) {
    driver_complete_xrc(find(word[1]), find(word[2]));
}

// ---- completions -----------------------------------------------------------------------------------------------------

// Only what means something: the library fills the rest with what happens to be in the entry.
static void print_completion(struct ibv_wc *wc) {
    int receive = wc->opcode & IBV_WC_RECV;
    printf("  completion %lu status %d", wc->wr_id, wc->status);
    if (wc->status) {
        printf(" qp %x vendor %x\n", wc->qp_num, wc->vendor_err);
        return;
    }
    printf(" qp %x opcode %d", wc->qp_num, wc->opcode);
    if (receive || wc->opcode >= IBV_WC_RDMA_READ) {
        printf(" bytes %u", wc->byte_len);
    }
    struct object *qp = NULL;
    for (int i = 0; i < MOST_OBJECTS; i++) {
        if (objects[i].verbs && objects[i].kernel.kind == QP && objects[i].kernel.number == wc->qp_num) {
            qp = &objects[i];
        }
    }
    if (receive && wc->wc_flags & IBV_WC_WITH_IMM) {
        printf(" imm %08x", be32toh(wc->imm_data));
    }
    if (receive && wc->wc_flags & IBV_WC_WITH_INV) {
        printf(" inv %08x", wc->invalidated_rkey);
    }
    if (receive && qp && qp->type == IBV_QPT_UD) {
        printf(" grh %d from %x", wc->wc_flags & IBV_WC_GRH, wc->src_qp);
        if (!(wc->wc_flags & IBV_WC_WITH_IMM)) {
            printf(" pkey %u", wc->pkey_index);
        }
        printf(" lid %x sl %u path %x", wc->slid, wc->sl, wc->dlid_path_bits);
    }
    printf("\n");
}

// A receive whose page the device did not find is posted again when its completion queue is polled.
static void print_posted_again(void) {
    for (int i = 0; i < MOST_OBJECTS; i++) {
        if (objects[i].verbs && objects[i].kernel.kind == SRQ && driver_print_posted(&objects[i])) {
            printf("  %s", objects[i].name);
            driver_print_record(&objects[i]);
        }
    }
}

// poll CQ MOST
static void poll_cq(void) {
    struct object *cq = find(word[1]);
    struct ibv_wc completions[MOST_COMPLETIONS] = {0};
    int polled = ibv_poll_cq(cq->verbs, decimal(2), completions);
    printf("  polled %d\n", polled);
    for (int i = 0; i < polled; i++) {
        print_completion(&completions[i]);
    }
    driver_print_record(cq);
    print_posted_again();
    print_doorbells();
}

// resize CQ ENTRIES
static void resize(void) {
    struct object *cq = find(word[1]);
    if (ibv_resize_cq(cq->verbs, decimal(2))) {
        printf("  refused\n");
        return;
    }
    driver_made_cq(cq);
    driver_print_record(cq);
    print_doorbells();
}

// arm CQ all|solicited
static void arm(void) {
    struct object *cq = find(word[1]);
    if (ibv_req_notify_cq(cq->verbs, !strcmp(word[2], "solicited"))) {
        fail("not armed");
    }
    driver_print_record(cq);
    print_doorbells();
}

// event CQ: the kernel sends one, and the program takes it
static void event(void) {
    struct object *cq = find(word[1]);
    struct ib_uverbs_comp_event_desc {
        uint64_t cq_handle;
    } sent = {cq->kernel.user_handle};
    struct ibv_cq *from;
    void *unused;
    if (write(cq->kernel.channel, &sent, sizeof sent) != sizeof sent || ibv_get_cq_event(channel, &from, &unused)) {
        fail("no event");
    }
    ibv_ack_cq_events(from, 1);
    print_doorbells();
}

static void print_records_of_cqs(void) {
    for (int i = 0; i < MOST_OBJECTS; i++) {
        if (objects[i].verbs && objects[i].kernel.kind == CQ) {
            printf("  %s", objects[i].name);
            driver_print_record(&objects[i]);
        }
    }
}

__attribute__((weak)) void driver_reset(struct object *qp) {}

// reset QP
static void reset(void) {
    struct object *qp = find(word[1]);
    to_state(qp->verbs, IBV_QPS_RESET, 0);
    qp->position = 0;
    driver_reset(qp);
    driver_print_record(qp);
    print_records_of_cqs();
    driver_to_rts(qp);
}

// Polls until there is nothing; prints what is not of the queue pair.
static void poll_others(struct object *cq, uint32_t besides) {
    struct ibv_wc completions[MOST_COMPLETIONS] = {0};
    int polled;
    while ((polled = ibv_poll_cq(cq->verbs, MOST_COMPLETIONS, completions)) > 0) {
        for (int i = 0; i < polled; i++) {
            if (completions[i].qp_num != besides) {
                print_completion(&completions[i]);
            }
        }
    }
}

// race QP CQ: QP is reset while somebody polls CQ. The library does one after the other: libbnxt_re does not survive both at once.
static void race(void) {
    struct object *qp = find(word[1]), *cq = find(word[2]);
    driver_ignore_stores(1);
    poll_others(cq, qp->kernel.number);
    to_state(qp->verbs, IBV_QPS_RESET, 0);
    poll_others(cq, qp->kernel.number);
    qp->position = 0;
    driver_reset(qp);
    driver_ignore_stores(0);
    clear_doorbells();
    driver_to_rts(qp);
}

// async QP EVENT: the program takes an asynchronous event
static void take_async(void) {
    struct object *qp = find(word[1]);
    struct ib_uverbs_async_event_desc sent = {.element = (uintptr_t)qp->verbs, .event_type = decimal(2)};
    struct ibv_async_event taken;
    if (write(kernel_async(&qp->kernel), &sent, sizeof sent) != sizeof sent || ibv_get_async_event(context, &taken)) {
        fail("no event");
    }
    ibv_ack_async_event(&taken);
}

// failed QP: the kernel knows that the device has failed the queue pair, which no library asks
static void have_failed(void) {}

// err QP: the device flushes what the queues hold, when the lines cqe say
static void move_to_error(void) {
    to_state(find(word[1])->verbs, IBV_QPS_ERR, 0);
}

// destroy QP
static void destroy(void) {
    struct object *qp = find(word[1]);
    if (ibv_destroy_qp(qp->verbs)) {
        fail("not destroyed");
    }
    qp->verbs = NULL;
    print_records_of_cqs();
}

// numbers BITS CQN QPN SRQN PSN
static void set_numbers(void) {
    kernel_numbers(decimal(1), decimal(2), decimal(3), decimal(4), decimal(5));
}

// quiet on|off: what comes of the lines until then is not compared
static void be_quiet(void) {
    static FILE *output;
    if (!output) {
        output = stdout;
    }
    stdout = strcmp(word[1], "on") ? output : fopen("/dev/null", "w");
}

static void play(void) {
    static const struct {
        const char *name;
        void (*action)(void);
    } ACTIONS[] = {
        {"cq", make_cq},   {"qp", make_qp},     {"srq", make_srq}, {"ah", make_ah},   {"recv", post_receive}, {"take", take},
        {"xsrq", make_xsrq}, {"xcqe", complete_xrc}, {"err", move_to_error}, {"resize", resize},
        {"cqe", complete}, {"poll", poll_cq},   {"arm", arm},      {"event", event},  {"reset", reset},       {"destroy", destroy},
        {"numbers", set_numbers}, {"quiet", be_quiet}, {"failed", have_failed}, {"race", race},      {"async", take_async},
    };
    if (!strcmp(word[0], "send") || !strcmp(word[0], "chain")) {
        post_send(!strcmp(word[0], "send"));
        return;
    }
    for (int i = 0; i < (int)(sizeof ACTIONS / sizeof *ACTIONS); i++) {
        if (!strcmp(word[0], ACTIONS[i].name)) {
            ACTIONS[i].action();
            return;
        }
    }
    fail("no such line");
}

static void open_device(void) {
    struct ibv_device **devices = ibv_get_device_list(NULL);
    context = devices && devices[0] ? ibv_open_device(devices[0]) : NULL;
    pd = context ? ibv_alloc_pd(context) : NULL;
    channel = context ? ibv_create_comp_channel(context) : NULL;
    if (!pd || !channel) {
        word[0] = "device";
        fail("libibverbs does not open it (is the Debian package ibverbs-providers installed?)");
    }
    int length;
    const uint8_t *request = kernel_context(&length);
    printf("context ");
    bytes(request, length);
}

static void make_data(void) {
    if (mmap(DATA, DATA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != DATA) {
        word[0] = "data";
        fail("not mapped");
    }
    for (int i = 0; i < DATA_BYTES; i++) {
        DATA[i] = i * 31 + (i >> 8);
    }
}

int main(int count, char **arguments) {
    if (count < 2) {
        return 2;
    }
    driver_start(arguments + 1);
    open_device();
    make_data();
    clear_doorbells();
    char line[LINE];
    while (fgets(line, sizeof line, stdin)) {
        fputs(line, stdout);
        int words = 0;
        for (char *at = strtok(line, " \n"); at && words < MOST_WORDS - 1; at = strtok(NULL, " \n")) {
            word[words++] = at;
        }
        word[words] = NULL;
        if (words && word[0][0] != '#') {
            play();
        }
    }
    // What could not be written would look like a difference.
    if (fflush(stdout) || ferror(stdout)) {
        word[0] = "output";
        fail("not written");
    }
    return 0;
}
