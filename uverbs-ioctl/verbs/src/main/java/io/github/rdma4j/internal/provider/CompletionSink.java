// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import java.nio.LongBuffer;

/**
 * Writes the completions of a program, which nothing else can do. A {@link CompletionRing} must call for
 * each completion either the three methods that set fields, in any order, or {@link #copy}.
 *
 * @param <C> the program's completion, opaque to a provider
 */
public interface CompletionSink<C> {
    /**
     * Sets what tells {@code completion} apart.
     *
     * @param wrId the number that the work request carried
     * @param status {@code IBV_WC_*} of {@code enum ibv_wc_status}
     * @param opcode {@code IBV_WC_*} of {@code enum ibv_wc_opcode}
     * @param qpNumber the local queue pair
     */
    void setResult(C completion, long wrId, int status, int opcode, int qpNumber);

    /**
     * Sets what came with {@code completion}.
     *
     * @param byteLength bytes moved
     * @param immediateBe the immediate data as it lies in memory, in network byte order; with {@code IBV_WC_WITH_INV} the key
     *     that was invalidated, in the byte order of the machine
     * @param flags {@code IBV_WC_*} of {@code enum ibv_wc_flags}
     * @param vendorError the device's own number of an error
     */
    void setPayload(C completion, int byteLength, int immediateBe, int flags, int vendorError);

    /** Sets the queue pair that sent a datagram, and the index of the partition key. */
    void setSource(C completion, int sourceQp, int pkeyIndex);

    /**
     * Sets everything from a {@code struct ib_uverbs_wc}, for a ring whose entries are that struct.
     *
     * @param ring the memory of the ring, in the byte order of the machine
     * @param index the word of {@code ring} in which the struct begins
     */
    void copy(C completion, LongBuffer ring, int index);
}
