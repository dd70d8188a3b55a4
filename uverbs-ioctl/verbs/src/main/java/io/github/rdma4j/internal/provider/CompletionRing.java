// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.internal.uverbs.WorkCompletionLayout;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.LongBuffer;

/**
 * The consumer's side of a completion queue. All methods but {@link #capacity} are called under the lock of the
 * completion queue, and none after {@link #retire}. Polling allocates nothing and makes no system call.
 *
 * <p>Polling and posting hold different locks and may run at the same time. A ring whose completions free room in a
 * send or receive ring must write its progress with release, and the other ring must read the progress with acquire.
 */
public interface CompletionRing {
    /** The number of completions that the ring holds. */
    int capacity();

    /**
     * Takes at most {@code into.length} completions, the oldest first, and gives their slots back to the device. A null
     * element ends the array.
     *
     * @param into the program's completions, filled through {@code sink}
     * @return the number of completions taken
     * @throws NullPointerException when there is a completion and the first element is null; the completion stays in
     *     the ring
     */
    <C> int poll(C[] into, CompletionSink<C> sink);

    /** The exception of a poll that found a completion but no element to fill. */
    static NullPointerException noFirstElement() {
        return new NullPointerException("no WorkCompletion at index 0: create the array by WorkCompletion.array(n)");
    }

    /** Rejects the array of a poll that has {@code polled} completions, and no element for the next completion. */
    static void requireFirst(int polled) {
        if (polled == 0) {
            throw noFirstElement();
        }
    }

    /**
     * The number of entries that {@link #poll} has skipped because they complete no posted request. 0 for a ring that
     * does not check its entries.
     */
    default long ignored() {
        return 0;
    }

    /**
     * Requests one event on the completion channel for the next completion.
     *
     * @param solicitedOnly true for an event only for a solicited message or an error
     */
    void arm(boolean solicitedOnly) throws RdmaException;

    /** Called once for each event of the queue that was taken from the completion channel. */
    default void eventTaken() {}

    /**
     * Prepares another capacity (RESIZE_CQ). The command, and {@link Creation#finish} or {@link Creation#abandon},
     * follow under the same lock; {@code finish} returns this ring.
     *
     * @param entries the least number of completions that the ring must hold
     * @throws UnsupportedOperationException if the provider cannot resize
     */
    default Creation<Created.Cq, CompletionRing> resize(int entries) throws RdmaException {
        throw new UnsupportedOperationException("the provider of the device's driver cannot change the capacity of a"
                + " completion queue: create the queue with enough entries");
    }

    /**
     * Forgets the completions of a queue pair that the kernel has destroyed or moved to RESET, because another queue
     * pair may get its number. Called for the send and the receive completion queue, once if they are the same. A ring
     * whose completions contain the number of the work request may keep the completions.
     */
    default void forget(QueueRings queues) {}

    /**
     * Forgets the completions of a shared receive queue of XRC that the kernel has destroyed. Called for the completion
     * queue of its receives, before {@link SharedReceiveRing#retire}.
     */
    default void forget(SharedReceiveRing shared) {}

    /**
     * Gives the memory back. Called once.
     *
     * @param destroyed as for {@link Creation#abandon}
     */
    void retire(boolean destroyed);

    /**
     * Writes the completions of a program. A {@link CompletionRing} must call for each completion either the three
     * methods that set fields, in any order, or {@link #copy}.
     *
     * @param <C> the program's completion, opaque to a provider
     */
    interface CompletionSink<C> {
        /**
         * Sets the fields that identify {@code completion}.
         *
         * @param wrId the number of the work request
         * @param status {@code IBV_WC_*} of {@code enum ibv_wc_status}
         * @param opcode {@code IBV_WC_*} of {@code enum ibv_wc_opcode}
         * @param qpNumber the local queue pair
         */
        void setResult(C completion, long wrId, int status, int opcode, int qpNumber);

        /**
         * Sets the data of {@code completion}.
         *
         * @param byteLength bytes moved
         * @param immediateBe the immediate data as it lies in memory, in network byte order; with
         *     {@code IBV_WC_WITH_INV} the key that was invalidated, in the byte order of the machine
         * @param flags {@code IBV_WC_*} of {@code enum ibv_wc_flags}
         * @param vendorError the device's own number of an error
         */
        void setPayload(C completion, int byteLength, int immediateBe, int flags, int vendorError);

        /**
         * Sets the source of a datagram.
         *
         * @param sourceQp the queue pair that sent the datagram
         * @param path the fields of {@link WorkCompletionLayout#path}; 0 if the completion is not for a datagram
         */
        void setSource(C completion, int sourceQp, long path);

        /**
         * Sets everything from a {@code struct ib_uverbs_wc}, for a ring whose entries are that struct.
         *
         * @param ring the memory of the ring, in the byte order of the machine
         * @param index the word of {@code ring} in which the struct begins
         */
        void copy(C completion, LongBuffer ring, int index);
    }
}
