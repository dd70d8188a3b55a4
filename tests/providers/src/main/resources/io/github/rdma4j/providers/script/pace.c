// SPDX-License-Identifier: Apache-2.0
//
// Measures posting and polling of a driver's library over the kernel of kernel.c. ProviderPace.java does the same in Java. Between
// the batches that are timed the program fills or drains the rings as a device would.
//
// usage: pace MILLISECONDS ITERATIONS INLINE CHUNK LAP LINE MODE...
//
// INLINE is the blocks of a request with inline data, CHUNK the blocks whose multiple no request crosses or 0, LAP how many numbers there
// are for a block. LINE is a line of a script that completes a send; the number of the send's first block comes in place of "@".
#define _GNU_SOURCE
#include "driver.h"
#include "kernel.h"
#include "pace.h"
#include "text.h"

enum { ENTRIES = 2 * BATCH, KEY = 0x1234, FIRST_MODE = 7 };

static struct object *completions, *pair;
static uint32_t position, inline_blocks, chunk, lap;
static char number[16];

// The device: BATCH requests of `blocks` blocks have been sent.
static void complete(uint32_t blocks) {
    for (int i = 0; i < BATCH; i++, position = (position + blocks) % lap) {
        if (chunk && position % chunk + blocks > chunk) {
            position += chunk - position % chunk;
        }
        snprintf(number, sizeof number, "%u", position % lap);
        driver_complete(completions, pair);
    }
}

static void drain(void) {
    complete(1);
    poll_many();
}

static void drain_inline(void) {
    complete(inline_blocks);
    poll_many();
}

static void fill(void) {
    post_many();
    complete(1);
}

static const struct benchmark BENCHMARKS[] = {
    {"post", nothing, post, drain},
    {"post_16", nothing, post_many, drain},
    {"post_inline", nothing, post_inline, drain_inline},
    {"poll", fill, poll_single, nothing},
    {"poll_16", fill, poll_many, nothing},
    {"poll_empty", nothing, poll_empty, nothing},
};

static void make_queues(void) {
    struct ibv_context *context = open_device();
    struct ibv_pd *pd = ibv_alloc_pd(context);
    check(pd != NULL, "protection domain");
    cq = ibv_create_cq(context, ENTRIES - 1, NULL, NULL, 0);
    check(cq && cq->cqe >= ENTRIES - 1, "completion queue");
    completions = add("cq", cq);
    completions->kernel = *kernel_last(CQ);
    driver_made_cq(completions);
    struct ibv_qp_cap granted = make_queue_pair(pd);
    pair = add("qp", qp);
    pair->kernel = *kernel_last(QP);
    driver_made_qp(pair, granted);
    driver_to_rts(pair);
}

static void split(char *line) {
    int words = 0;
    for (char *next = strtok(line, " "); next && words < MOST_WORDS; next = strtok(NULL, " ")) {
        word[words++] = strcmp(next, "@") ? next : number;
    }
}

int main(int count, char **arguments) {
    if (count <= FIRST_MODE) {
        return 2;
    }
    inline_blocks = atoi(arguments[3]);
    chunk = atoi(arguments[4]);
    lap = atoi(arguments[5]);
    split(arguments[6]);
    driver_start(arguments + FIRST_MODE);
    make_queues();
    make_requests(KEY);
    measure(BENCHMARKS, sizeof BENCHMARKS / sizeof *BENCHMARKS, arguments);
    return 0;
}
