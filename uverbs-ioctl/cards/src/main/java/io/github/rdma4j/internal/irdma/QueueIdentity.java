// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Operations;

/**
 * The properties that elements and completions of a queue pair share.
 *
 * @param context the number in completions
 * @param qpn the queue pair number
 * @param datagram true for a queue pair of datagrams
 * @param sendsImmediate true if sends may have immediate data, so that the operation of a completion distinguishes them
 *     from RDMA writes
 * @param generation the generation of the device
 */
record QueueIdentity(long context, int qpn, boolean datagram, boolean sendsImmediate, int generation) {
    /** True if the device writes a completion for each request that it flushes. */
    boolean flushesEach() {
        return generation > 2;
    }

    /** True if a completion with {@code operation} is for a receive completed by an RDMA write. */
    boolean isWritten(int operation, boolean immediate) {
        if (generation > 2) {
            return operation == Operations.WRITE || operation == Operations.WRITE_SOLICITED;
        }
        return immediate
                && (!sendsImmediate
                        || operation == Operations.WRITE_LAST_WITH_IMM
                        || operation == Operations.WRITE_ONLY_WITH_IMM);
    }
}
