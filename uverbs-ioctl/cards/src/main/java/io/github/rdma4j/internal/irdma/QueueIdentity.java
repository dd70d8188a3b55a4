// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Operations;

/**
 * The properties that elements and completions of a queue pair share.
 *
 * @param context what completions repeat
 * @param qpn the queue pair number
 * @param datagram true for a queue pair of datagrams
 * @param sendsImmediate true if sends may have immediate data, so that the operation of a completion tells them from
 *     RDMA writes
 * @param generation of the device
 */
record QueueIdentity(long context, int qpn, boolean datagram, boolean sendsImmediate, int generation) {
    /** Whether the device writes a completion for each request that it flushes. */
    boolean flushesEach() {
        return generation > 2;
    }

    /** Whether an RDMA write has completed a receive, with the {@code operation} of the completion. */
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
