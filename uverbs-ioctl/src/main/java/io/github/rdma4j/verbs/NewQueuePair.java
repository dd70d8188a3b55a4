// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.verbs.provider.Created;
import io.github.rdma4j.verbs.provider.QueueRings;
import io.github.rdma4j.verbs.provider.ReceiveRing;

/**
 * A queue pair that the kernel has just created, with its rings.
 *
 * @param created what the kernel granted
 * @param rings the two queues
 * @param maxMessage the longest message in bytes
 * @param cookie the number by which the kernel names the queue pair in events
 */
record NewQueuePair(Created.Qp created, QueueRings rings, long maxMessage, long cookie) {
    /** What can be posted, which the provider knows better than the kernel's reply. */
    QpCap capacities() {
        ReceiveRing receive = rings.receive();
        return new QpCap(
                rings.send().capacity(),
                receive != null ? receive.capacity() : 0,
                rings.send().maxSge(),
                receive != null ? receive.maxSge() : 0,
                rings.send().maxInline());
    }
}
