// SPDX-License-Identifier: Apache-2.0
//
// The queues that are measured, on the first device that the libraries find.
#ifndef QUEUES_H
#define QUEUES_H

#include "pace.h"

// Returns the key of the data.
static uint32_t make_queues(void) {
    struct ibv_context *context = open_device();
    struct ibv_pd *pd = ibv_alloc_pd(context);
    check(pd != NULL, "protection domain");
    struct ibv_mr *region = ibv_reg_mr(pd, data, sizeof data, IBV_ACCESS_LOCAL_WRITE);
    check(region != NULL, "region");
    cq = ibv_create_cq(context, 2 * BATCH - 1, NULL, NULL, 0);
    check(cq != NULL, "completion queue");
    make_queue_pair(pd);
    return region->lkey;
}

#endif
