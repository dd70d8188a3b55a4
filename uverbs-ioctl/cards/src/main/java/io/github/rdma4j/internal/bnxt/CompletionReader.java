// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.provider.QueueHandles;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout.WcFlags;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;

/**
 * Turns entries into completions. Trusts a number in an entry only if its queue confirms the number: an entry of an
 * unknown queue pair or without a posted work request is no completion.
 *
 * <p>An entry of a send completes all sends up to the one that it names; it stays at the head of the ring until all are
 * taken. When a queue pair fails, the device completes one request; this class flushes the others.
 */
final class CompletionReader {
    /** The result of reading an entry, a bit mask: nothing. */
    static final int NOTHING = 0;

    /** The entry completed a request. */
    static final int COMPLETED = 1;

    /** The entry stays at the head of the ring. */
    static final int STAYS = 2;

    /** The entry belongs to no posted request. */
    static final int IGNORED = 4;

    private static final int RECV = WorkCompletionOpcode.RECV.code();
    private static final int RECV_RDMA_WITH_IMM = WorkCompletionOpcode.RECV_RDMA_WITH_IMM.code();
    private static final int READ = WorkCompletionOpcode.RDMA_READ.code();
    private static final int COMP_SWAP = WorkCompletionOpcode.COMP_SWAP.code();
    private static final int FETCH_ADD = WorkCompletionOpcode.FETCH_ADD.code();

    /** The bits of a receive completed by a write with immediate data. */
    private static final long WRITTEN_WITH_IMM = Entry.WRITTEN | Entry.IMMEDIATE;

    private final QueueHandles.Recent<BnxtQueueRings> queues;
    private final CompletionRing of;

    CompletionReader(QueueHandles.Recent<BnxtQueueRings> queues, CompletionRing of) {
        this.queues = queues;
        this.of = of;
    }

    /** Reads the entry at the head of {@code from}, whose last word is {@code last}. */
    <C> int read(CompletionEntries from, long last, C into, CompletionSink<C> sink) {
        int kind = CompletionEntries.kind(last);
        boolean received = CompletionEntries.isReceive(kind);
        if (!received && kind != Entry.SEND && kind != Entry.TERMINAL) {
            return IGNORED;
        }
        long handle = from.word(received ? 1 : 0);
        if (handle == QueueHandles.NONE) {
            return NOTHING;
        }
        BnxtQueueRings queue = queues.get(handle);
        if (queue == null) {
            return IGNORED;
        }
        if (kind == Entry.TERMINAL) {
            return terminate(queue);
        }
        int status = (int) last >>> Entry.STATUS_SHIFT & Entry.STATUS_MASK;
        if (received) {
            return queue.ends().receiveCq() != of
                    ? IGNORED
                    : status == 0
                            ? readReceive(from, last, queue, into, sink)
                            : failReceive(last, status, queue, into, sink);
        }
        if (queue.ends().sendCq() != of) {
            return IGNORED;
        }
        return status == 0 ? readSend(from, queue, into, sink) : failSend(status, queue, into, sink);
    }

    /**
     * Makes polls of both completion queues flush the queue pair. As in libbnxt_re, waiters on the other completion
     * queue are not woken here: the asynchronous event of the failure and the move to ERR wake both.
     */
    private int terminate(BnxtQueueRings queue) {
        if (queue.ends().sendCq() != of && queue.ends().receiveCq() != of) {
            return IGNORED;
        }
        queue.failReceives();
        queue.failSends();
        return NOTHING;
    }

    private static <C> int readSend(CompletionEntries from, BnxtQueueRings queue, C into, CompletionSink<C> sink) {
        SendLog sends = queue.send().log();
        int element = sends.oldest();
        int end = sends.end((int) from.word(1));
        if (element < 0 || !sends.covers(end)) {
            return IGNORED;
        }
        int outcome = NOTHING;
        if (sends.isSignaled(element)) {
            int opcode = sends.opcode(element);
            sink.setResult(
                    into,
                    sends.wrId(element),
                    CompletionStatus.SUCCESS,
                    opcode,
                    queue.ends().number());
            boolean fetches = opcode == READ || opcode == COMP_SWAP || opcode == FETCH_ADD;
            sink.setPayload(into, fetches ? sends.length(element) : 0, 0, 0, 0);
            sink.setSource(into, 0, 0);
            outcome = COMPLETED;
        }
        return sends.finishOldest() == end ? outcome : outcome | STAYS;
    }

    private static <C> int failSend(int status, BnxtQueueRings queue, C into, CompletionSink<C> sink) {
        SendLog sends = queue.send().log();
        int element = sends.oldest();
        if (element < 0) {
            return IGNORED;
        }
        int number = queue.ends().number();
        sink.setResult(into, sends.wrId(element), CompletionStatus.ofSend(status), sends.opcode(element), number);
        sink.setPayload(into, 0, 0, 0, status);
        sink.setSource(into, 0, 0);
        sends.finishOldest();
        queue.failSends();
        return COMPLETED;
    }

    private static <C> int readReceive(
            CompletionEntries from, long last, BnxtQueueRings queue, C into, CompletionSink<C> sink) {
        boolean immediate = ((int) last & Entry.IMMEDIATE) != 0;
        if (!takeReceive(last, CompletionStatus.SUCCESS, queue, into, sink)) {
            return IGNORED;
        }
        long first = from.word(0);
        int word = immediate ? Words.bigEndian((int) (first >>> Integer.SIZE)) : 0;
        int flags = immediate ? WcFlags.IBV_WC_WITH_IMM : 0;
        if (!queue.ends().datagram()) {
            sink.setPayload(into, (int) first, word, flags, 0);
            sink.setSource(into, 0, 0);
            return COMPLETED;
        }
        sink.setPayload(into, (int) first & Entry.DATAGRAM_BYTES_MASK, word, flags | WcFlags.IBV_WC_GRH, 0);
        int source = (int) (last >>> Entry.SOURCE_HIGH_SHIFT) << 16 | (int) (from.word(2) >>> Entry.SOURCE_LOW_SHIFT);
        sink.setSource(into, source, 0);
        return COMPLETED;
    }

    /** Sets the result of the receive that an entry completes, and frees the receive; false if there is none. */
    private static <C> boolean takeReceive(
            long last, int status, BnxtQueueRings queue, C into, CompletionSink<C> sink) {
        int number = queue.ends().number();
        int opcode = status == CompletionStatus.SUCCESS && (last & WRITTEN_WITH_IMM) == WRITTEN_WITH_IMM
                ? RECV_RDMA_WITH_IMM
                : RECV;
        BnxtSharedReceiveRing shared = queue.ends().shared();
        if (shared != null) {
            int tag = CompletionEntries.tag(last);
            if (!shared.completes(tag)) {
                return false;
            }
            sink.setResult(into, shared.wrId(tag), status, opcode, number);
            shared.free(tag);
            return true;
        }
        BnxtReceiveRing own = queue.ownReceives();
        int element = own.oldest();
        if (element < 0) {
            return false;
        }
        sink.setResult(into, own.wrId(element), status, opcode, number);
        own.finishOldest();
        return true;
    }

    private static <C> int failReceive(long last, int status, BnxtQueueRings queue, C into, CompletionSink<C> sink) {
        BnxtSharedReceiveRing shared = queue.ends().shared();
        if (status == CompletionStatus.RECEIVE_GIVEN_BACK) {
            int tag = CompletionEntries.tag(last);
            if (shared != null && shared.completes(tag)) {
                shared.free(tag);
            }
            return NOTHING;
        }
        if (!takeReceive(last, CompletionStatus.ofReceive(status), queue, into, sink)) {
            return IGNORED;
        }
        sink.setPayload(into, 0, 0, 0, status);
        sink.setSource(into, 0, 0);
        if (shared == null) {
            queue.failReceives();
        }
        return COMPLETED;
    }

    // ---- queue pairs that have failed

    /** Flushes the sends of a queue pair; returns the number of filled elements of {@code into}. */
    static <C> int flushSends(BnxtQueueRings queue, C[] into, int already, CompletionSink<C> sink) {
        SendLog sends = queue.send().log();
        int polled = already;
        for (int element; polled < into.length && (element = sends.oldest()) >= 0; polled++) {
            C completion = into[polled];
            if (completion == null) {
                break;
            }
            flush(completion, sends.wrId(element), sends.opcode(element), queue, sink);
            sends.finishOldest();
        }
        return polled;
    }

    /** Flushes the queue pair's own receives; returns the number of filled elements of {@code into}. */
    static <C> int flushReceives(BnxtQueueRings queue, C[] into, int already, CompletionSink<C> sink) {
        if (queue.ends().shared() != null) {
            return already;
        }
        BnxtReceiveRing receives = queue.ownReceives();
        int polled = already;
        for (int element; polled < into.length && (element = receives.oldest()) >= 0; polled++) {
            C completion = into[polled];
            if (completion == null) {
                break;
            }
            flush(completion, receives.wrId(element), RECV, queue, sink);
            receives.finishOldest();
        }
        return polled;
    }

    private static <C> void flush(C into, long wrId, int opcode, BnxtQueueRings queue, CompletionSink<C> sink) {
        sink.setResult(
                into, wrId, CompletionStatus.FLUSHED, opcode, queue.ends().number());
        sink.setPayload(into, 0, 0, 0, 0);
        sink.setSource(into, 0, 0);
    }
}
