// SPDX-License-Identifier: Apache-2.0
//
// Makes queues for a JVM that loads libdisni, whose objects are addresses of libibverbs' objects. DiSNI itself makes queue pairs
// on connections only.
#include "queues.h"

// The addresses of the queue pair, of the completion queue and of the data, and the key of the data.
void disni_objects(int64_t *made) {
    made[3] = make_queues();
    made[0] = (intptr_t)qp;
    made[1] = (intptr_t)cq;
    made[2] = (intptr_t)data;
}
