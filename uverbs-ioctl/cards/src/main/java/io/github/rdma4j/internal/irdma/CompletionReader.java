// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import static java.util.Objects.requireNonNull;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.irdma.Elements.Completion;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.provider.QueueHandles;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout.WcFlags;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import java.util.List;

/**
 * Turns entries into completions. Trusts a number in an entry only if its queue confirms the number: an entry of an
 * unknown queue pair or without a posted work request is no completion.
 *
 * <p>When a queue pair of generation 1 or 2 fails, one entry completes all requests of a queue, and all requests posted
 * before the queue is empty. The entry stays at the head of the ring until then. Generation 3 writes an entry for each
 * request.
 */
final class CompletionReader {
    private static final int RECV = WorkCompletionOpcode.RECV.code();
    private static final int RECV_RDMA_WITH_IMM = WorkCompletionOpcode.RECV_RDMA_WITH_IMM.code();

    /** The result of reading an entry: it completed a request and is taken, or stays; or it completed none. */
    private static final int DONE = 0;

    private static final int STAYS = 1;
    private static final int EMPTY = 2;
    private static final int SKIPPED = 3;

    private final QueueHandles.Recent<IrdmaQueueRings> queues;
    private final CompletionRing of;

    /** The number of skipped entries, which were no completions. */
    private long skipped;

    CompletionReader(QueueHandles.Recent<IrdmaQueueRings> queues, CompletionRing of) {
        this.queues = queues;
        this.of = of;
    }

    long skipped() {
        return skipped;
    }

    /** Takes the new entries of {@code from}; returns the number of filled elements of {@code into}. */
    <C> int read(CompletionEntries from, C[] into, int already, CompletionSink<C> sink) {
        int polled = already;
        for (int left = from.entries(); left > 0 && polled < into.length; ) {
            long header = from.header();
            boolean extended = (header & Completion.EXTENDED) != 0;
            if (!from.isNew(header) || (extended && !from.isSecondNew())) {
                break;
            }
            int size = extended && !from.isWide() ? 2 : 1;
            if (into[polled] == null) {
                CompletionRing.requireFirst(polled);
                break;
            }
            int outcome = readEntry(from, header, into[polled], sink);
            polled += outcome <= STAYS ? 1 : 0;
            skipped += outcome == SKIPPED ? 1 : 0;
            if (outcome != STAYS) {
                from.advance(size);
                left -= size;
            } else {
                from.park();
            }
        }
        return polled;
    }

    private <C> int readEntry(CompletionEntries from, long header, C into, CompletionSink<C> sink) {
        boolean shared = from.isShared(header);
        long context = shared ? from.secondWord(Completion.CONTEXT_WORD) : from.word(Completion.CONTEXT_WORD);
        if (context == QueueHandles.NONE) {
            return EMPTY;
        }
        IrdmaQueueRings queue = queues.get(context);
        if (queue == null) {
            return SKIPPED;
        }
        boolean sent = (header & Completion.SEND) != 0;
        IrdmaQueueRings.Ends ends = queue.ends();
        boolean hasShared = ends.shared() != null;
        if ((sent ? ends.sendCq() : ends.receiveCq()) != of || (!sent && hasShared != shared)) {
            return SKIPPED;
        }
        if ((header & Completion.ERROR) != 0) {
            return readError(from, header, queue, into, sink);
        }
        return sent ? readSend(header, queue, into, sink) : readReceive(from, header, queue, into, sink);
    }

    private static int index(long header) {
        return (int) (header >>> Completion.INDEX_SHIFT) & Completion.INDEX_MASK;
    }

    private static <C> int readSend(long header, IrdmaQueueRings queue, C into, CompletionSink<C> sink) {
        SendLog sends = queue.send().log();
        int element = sends.elementOf(index(header));
        if (element < 0) {
            return queue.send().isOfTheKernel(index(header)) ? EMPTY : SKIPPED;
        }
        int qpn = queue.ends().identity().qpn();
        sink.setResult(into, sends.wrId(element), CompletionStatus.SUCCESS, sends.opcode(element), qpn);
        sink.setPayload(into, sends.length(element), 0, 0, 0);
        sink.setSource(into, 0, 0);
        sends.finish(element);
        return DONE;
    }

    private static <C> int readReceive(
            CompletionEntries from, long header, IrdmaQueueRings queue, C into, CompletionSink<C> sink) {
        IrdmaReceiveRing own = queue.receive();
        if (own == null ? !completesShared(from, queue) : own.entryOf(index(header)) < 0) {
            return SKIPPED;
        }
        QueueIdentity identity = queue.ends().identity();
        boolean immediate = (header & Completion.EXTENDED) != 0
                && (from.secondWord(Completion.HEADER_WORD) & Completion.IMMEDIATE) != 0;
        int opcode = identity.isWritten(operation(header), immediate) ? RECV_RDMA_WITH_IMM : RECV;
        sink.setResult(into, takeReceive(from, queue), CompletionStatus.SUCCESS, opcode, identity.qpn());
        int bytes = (int) from.word(Completion.BYTES_WORD);
        int source = (int) from.word(Completion.SOURCE_WORD);
        int flags = immediate ? WcFlags.IBV_WC_WITH_IMM : 0;
        if (identity.datagram()) {
            flags |= WcFlags.IBV_WC_GRH;
        }
        if (!identity.datagram() && (header & Completion.INVALIDATED) != 0) {
            sink.setPayload(into, bytes, source, flags | WcFlags.IBV_WC_WITH_INV, 0);
        } else {
            int word = immediate ? Words.bigEndian((int) from.secondWord(Completion.BYTES_WORD)) : 0;
            sink.setPayload(into, bytes, word, flags, 0);
        }
        sink.setSource(into, identity.datagram() ? source : 0, 0);
        return DONE;
    }

    private static int operation(long header) {
        return (int) (header >>> Completion.OPERATION_SHIFT) & Completion.OPERATION_MASK;
    }

    /** Marks the receive of a shared receive queue in an entry as completed; returns true once for each receive. */
    private static boolean completesShared(CompletionEntries from, IrdmaQueueRings queue) {
        return requireNonNull(queue.ends().shared()).completes(from.word(Completion.CONTEXT_WORD));
    }

    /** The number of the receive that an entry completes; makes room for another receive. */
    private static long takeReceive(CompletionEntries from, IrdmaQueueRings queue) {
        IrdmaReceiveRing own = queue.receive();
        if (own != null) {
            long wrId = own.wrId(own.oldest());
            own.finishOne();
            return wrId;
        }
        IrdmaSharedReceiveRing shared = requireNonNull(queue.ends().shared());
        long tag = from.word(Completion.CONTEXT_WORD);
        long wrId = shared.wrId(tag);
        shared.free(tag);
        return wrId;
    }

    private static <C> int readError(
            CompletionEntries from, long header, IrdmaQueueRings queue, C into, CompletionSink<C> sink) {
        boolean sent = (header & Completion.SEND) != 0;
        int vendor = CompletionStatus.vendor(header, !from.isParked());
        if (!queue.ends().identity().datagram() || CompletionStatus.flushes(header)) {
            queue.failByDevice(sent);
        }
        if (CompletionStatus.flushes(header) && (sent || queue.receive() != null)) {
            int outcome = flushOldest(queue, sent, vendor, into, sink);
            return outcome == STAYS && queue.ends().identity().flushesEach() ? DONE : outcome;
        }
        if (sent && queue.ends().identity().datagram() && CompletionStatus.isNoneForDatagrams(header)) {
            return readSend(header, queue, into, sink);
        }
        return sent ? failSend(header, queue, into, sink) : failReceive(from, vendor, queue, into, sink);
    }

    private static <C> int failSend(long header, IrdmaQueueRings queue, C into, CompletionSink<C> sink) {
        SendLog sends = queue.send().log();
        int element = sends.elementOf(index(header));
        if (element < 0) {
            return SKIPPED;
        }
        int qpn = queue.ends().identity().qpn();
        sink.setResult(into, sends.wrId(element), CompletionStatus.GENERAL, sends.opcode(element), qpn);
        sink.setSource(into, 0, 0);
        sink.setPayload(into, 0, 0, 0, (int) header);
        sends.finish(element);
        return DONE;
    }

    private static <C> int failReceive(
            CompletionEntries from, int vendor, IrdmaQueueRings queue, C into, CompletionSink<C> sink) {
        IrdmaReceiveRing own = queue.receive();
        if (own == null ? !completesShared(from, queue) : own.oldest() < 0) {
            return SKIPPED;
        }
        int qpn = queue.ends().identity().qpn();
        sink.setResult(into, takeReceive(from, queue), CompletionStatus.failed(vendor), RECV, qpn);
        sink.setSource(into, 0, 0);
        sink.setPayload(into, 0, 0, 0, vendor);
        return DONE;
    }

    /** Flushes the oldest request of a queue; an entry for an empty queue reports that there was nothing to flush. */
    private static <C> int flushOldest(
            IrdmaQueueRings queue, boolean sent, int vendor, C into, CompletionSink<C> sink) {
        int status = CompletionStatus.failed(vendor);
        int qpn = queue.ends().identity().qpn();
        boolean more;
        if (sent) {
            SendLog sends = queue.send().log();
            int element = sends.oldest();
            if (element < 0) {
                return EMPTY;
            }
            sink.setResult(into, sends.wrId(element), status, sends.opcode(element), qpn);
            sends.finish(element);
            more = sends.oldest() >= 0;
        } else {
            IrdmaReceiveRing receives = requireNonNull(queue.receive());
            int entry = receives.oldest();
            if (entry < 0) {
                return EMPTY;
            }
            sink.setResult(into, receives.wrId(entry), status, RECV, qpn);
            receives.finishOne();
            more = receives.oldest() >= 0;
        }
        sink.setPayload(into, 0, 0, 0, vendor);
        sink.setSource(into, 0, 0);
        return more ? STAYS : DONE;
    }

    // ---- queue pairs in ERR

    /** Flushes the requests that the device does not complete, which are younger than those that it completes. */
    <C> int flush(List<IrdmaQueueRings> failed, C[] into, int already, CompletionSink<C> sink) {
        int polled = already;
        for (int i = 0; i < failed.size(); i++) {
            IrdmaQueueRings queue = failed.get(i);
            boolean sends = queue.ends().sendCq() == of;
            boolean receives = queue.ends().receiveCq() == of;
            while (polled < into.length) {
                boolean sent = sends && queue.send().log().nextToFlush() >= 0;
                if (!sent && !(receives && flushesReceives(queue))) {
                    break;
                }
                if (into[polled] == null) {
                    CompletionRing.requireFirst(polled);
                    return polled;
                }
                flushOldest(queue, sent, CompletionStatus.FLUSH_OF_THE_REST, into[polled++], sink);
            }
        }
        return polled;
    }

    private static boolean flushesReceives(IrdmaQueueRings queue) {
        IrdmaReceiveRing own = queue.receive();
        return own != null && own.nextToFlush() >= 0;
    }
}
