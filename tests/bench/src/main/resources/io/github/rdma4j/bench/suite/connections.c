// SPDX-License-Identifier: Apache-2.0
//
// The programs in C beside which the suite puts a start and the memory of connections in Java.
//
// usage: connections server ADDRESS PORT              accepts connections until it is killed, and takes one message of each
//        connections first ADDRESS PORT               connects, sends and waits for the completion; FirstCompletion.java
//        connections clock                            prints how many ticks of the processor's counter a microsecond has
//        connections memory ADDRESS PORT COUNT...     opens so many connections and prints its memory; ManyConnections.java
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BACKLOG = 1024, LENGTH = 8, DEPTH = 16, RESOLVE_MS = 2000, RETRIES = 7, READINGS = 50 };

static uint8_t data[LENGTH];
static struct sockaddr_in address;
static struct rdma_event_channel *channel;
static struct ibv_cq *cq;

static void check(int good, const char *what) {
    if (!good) {
        fprintf(stderr, "connections: ");
        perror(what);
        exit(1);
    }
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// The counter that perftest reads, and the clock: the pair that took the least time of several.
static void read_both(int64_t *ticks, int64_t *time) {
    int64_t least = INT64_MAX;
    for (int i = 0; i < READINGS; i++) {
        int64_t before = now();
        int64_t counter = __builtin_ia32_rdtsc();
        int64_t took = now() - before;
        if (took < least) {
            least = took;
            *ticks = counter;
            *time = before + took / 2;
        }
    }
}

static void print_clock(void) {
    int64_t ticks[2], time[2];
    struct timespec pause = {.tv_nsec = 300000000};
    read_both(&ticks[0], &time[0]);
    nanosleep(&pause, NULL);
    read_both(&ticks[1], &time[1]);
    printf("ticks %.6f\n", 1e3 * (ticks[1] - ticks[0]) / (time[1] - time[0]));
}

static struct rdma_conn_param parameters(void) {
    return (struct rdma_conn_param){.retry_count = RETRIES, .rnr_retry_count = RETRIES};
}

static struct ibv_qp_init_attr queues(int depth) {
    return (struct ibv_qp_init_attr){
        .send_cq = cq,
        .recv_cq = cq,
        .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = depth, .max_recv_wr = depth, .max_send_sge = 1, .max_recv_sge = 1},
    };
}

// ---- server ----------------------------------------------------------------------------------------------------------

static struct ibv_mr *region;

static void accept_one(struct rdma_cm_id *id) {
    struct rdma_conn_param answer = parameters();
    if (!cq) {
        check((cq = ibv_create_cq(id->verbs, DEPTH, NULL, NULL, 0)) != NULL, "completion queue");
        check((region = ibv_reg_mr(id->pd, data, LENGTH, IBV_ACCESS_LOCAL_WRITE)) != NULL, "region");
    }
    struct ibv_qp_init_attr wanted = queues(1);
    check(!rdma_create_qp(id, id->pd, &wanted), "queue pair");
    check(!rdma_post_recv(id, NULL, data, LENGTH, region), "receive");
    check(!rdma_accept(id, &answer), "accept");
}

static void serve(void) {
    struct rdma_cm_id *listener;
    struct rdma_cm_event *event;
    struct ibv_wc completion;
    check((channel = rdma_create_event_channel()) != NULL, "event channel");
    check(!rdma_create_id(channel, &listener, NULL, RDMA_PS_TCP), "id");
    check(!rdma_bind_addr(listener, (struct sockaddr *)&address), "bind");
    check(!rdma_listen(listener, BACKLOG), "listen");
    printf("listening\n");
    fflush(stdout);
    while (!rdma_get_cm_event(channel, &event)) {
        struct rdma_cm_id *id = event->id;
        enum rdma_cm_event_type type = event->event;
        check(!rdma_ack_cm_event(event), "acknowledge");
        if (type == RDMA_CM_EVENT_CONNECT_REQUEST) {
            accept_one(id);
        } else if (type == RDMA_CM_EVENT_DISCONNECTED) {
            rdma_disconnect(id);
            while (ibv_poll_cq(cq, 1, &completion) > 0) {
            }
            rdma_destroy_qp(id);
            check(!rdma_destroy_id(id), "destroy");
        }
    }
}

// ---- from main to the first completion -------------------------------------------------------------------------------

static void first(int64_t started) {
    struct rdma_cm_id *id;
    struct rdma_conn_param wanted = parameters();
    struct ibv_qp_init_attr pair = queues(1);
    struct ibv_wc completion;
    check(!rdma_create_id(NULL, &id, NULL, RDMA_PS_TCP), "id");
    check(!rdma_resolve_addr(id, NULL, (struct sockaddr *)&address, RESOLVE_MS), "resolve address");
    check(!rdma_resolve_route(id, RESOLVE_MS), "resolve route");
    check(!rdma_create_qp(id, NULL, &pair), "queue pair");
    struct ibv_mr *message = rdma_reg_msgs(id, data, LENGTH);
    check(message != NULL, "region");
    check(!rdma_connect(id, &wanted), "connect");
    check(!rdma_post_send(id, NULL, data, LENGTH, message, IBV_SEND_SIGNALED), "send");
    check(rdma_get_send_comp(id, &completion) == 1 && !completion.status, "completion");
    printf("main %lld\nfirst %lld\n", (long long)started, (long long)now());
    rdma_disconnect(id);
}

// ---- memory ----------------------------------------------------------------------------------------------------------

static void expect(enum rdma_cm_event_type type) {
    struct rdma_cm_event *event;
    check(!rdma_get_cm_event(channel, &event), "event");
    if (event->event != type) {
        fprintf(stderr, "connections: %s, status %d\n", rdma_event_str(event->event), event->status);
        exit(1);
    }
    check(!rdma_ack_cm_event(event), "acknowledge");
}

static void connect_one(void) {
    struct rdma_cm_id *id;
    struct rdma_conn_param wanted = parameters();
    check(!rdma_create_id(channel, &id, NULL, RDMA_PS_TCP), "id");
    check(!rdma_resolve_addr(id, NULL, (struct sockaddr *)&address, RESOLVE_MS), "resolve address");
    expect(RDMA_CM_EVENT_ADDR_RESOLVED);
    check(!rdma_resolve_route(id, RESOLVE_MS), "resolve route");
    expect(RDMA_CM_EVENT_ROUTE_RESOLVED);
    if (!cq) {
        check((cq = ibv_create_cq(id->verbs, DEPTH, NULL, NULL, 0)) != NULL, "completion queue");
    }
    struct ibv_qp_init_attr pair = queues(DEPTH);
    check(!rdma_create_qp(id, id->pd, &pair), "queue pair");
    check(!rdma_connect(id, &wanted), "connect");
    expect(RDMA_CM_EVENT_ESTABLISHED);
}

static long resident_kib(void) {
    char line[256];
    long kib = -1;
    FILE *status = fopen("/proc/self/status", "r");
    check(status != NULL, "/proc/self/status");
    while (fgets(line, sizeof line, status)) {
        sscanf(line, "VmRSS: %ld", &kib);
    }
    fclose(status);
    return kib;
}

static void memory(int count, char **limits) {
    int open = 0;
    check((channel = rdma_create_event_channel()) != NULL, "event channel");
    for (int i = 0; i < count; i++) {
        for (; open < atoi(limits[i]); open++) {
            connect_one();
        }
        printf("rss %d %ld\n", open, resident_kib());
        fflush(stdout);
    }
}

int main(int count, char **arguments) {
    int64_t started = now();
    if (count == 2 && !strcmp(arguments[1], "clock")) {
        print_clock();
        return 0;
    }
    if (count < 4) {
        return 2;
    }
    address.sin_family = AF_INET;
    address.sin_port = htons(atoi(arguments[3]));
    if (inet_pton(AF_INET, arguments[2], &address.sin_addr) != 1) {
        return 2;
    }
    if (!strcmp(arguments[1], "server")) {
        serve();
    } else if (!strcmp(arguments[1], "first")) {
        first(started);
    } else {
        memory(count - 4, arguments + 4);
    }
    return 0;
}
