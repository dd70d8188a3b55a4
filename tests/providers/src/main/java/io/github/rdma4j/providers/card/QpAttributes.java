// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

/**
 * The attributes of a queue pair that the device looks at, as MODIFY_QP sets them.
 *
 * @param destination the queue pair of the peer
 * @param qkey the queue key of datagrams
 * @param access what the peer may do, {@code IB_UVERBS_ACCESS_*}
 * @param rnrRetry how often the device asks a peer without a receive again, {@link #FOREVER} for no end
 * @param reads the most reads and atomic operations under way at a time
 */
public record QpAttributes(int destination, int qkey, int access, int rnrRetry, int reads) {
    public static final int FOREVER = 7;

    /** The attributes of a new queue pair. */
    static final QpAttributes NEW = new QpAttributes(0, 0, 0, FOREVER, 1);
}
