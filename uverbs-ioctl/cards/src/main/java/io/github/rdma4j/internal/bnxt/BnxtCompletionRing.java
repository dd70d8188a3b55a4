// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi.ResizeCq;
import io.github.rdma4j.internal.bnxt.Elements.Doorbell;
import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A completion queue. The consumer index is reported to the device after each poll, or after half of the ring if the
 * ring is twice as large as required.
 */
final class BnxtCompletionRing implements CompletionRing {
    private static final int FIRST_PHASE = 1;
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final BnxtParts parts;
    private final int handle;
    private final TogglePage toggle;
    private final CompletionReader reader;
    private final long taken;
    private final long armed;
    private final long armedSolicited;
    private final long leftRing;

    private CompletionEntries entries;
    private boolean deferred;

    /** The lap bit of doorbells. */
    private int epoch;

    /** The number of entries taken since the last report to the device. */
    private int untold;

    /** The toggle of the cut-off entry, by which the device has left the ring; -1 if it has not. */
    private int cutOff = -1;

    /** The number of skipped entries, which were no completions. */
    private long skipped;

    /** Completions from the previous ring. */
    private final Deque<KeptCompletion> kept = new ArrayDeque<>();

    /** Queue pairs that have failed. */
    private final FailedQueues failedSends = new FailedQueues();

    private final FailedQueues failedReceives = new FailedQueues();

    /**
     * The numbers of a completion queue.
     *
     * @param handle the kernel's handle
     * @param number the device's number
     * @param deferred true if the consumer index is reported after half of the ring
     */
    record Numbers(int handle, int number, boolean deferred) {}

    BnxtCompletionRing(BnxtParts parts, CompletionEntries entries, Numbers numbers, TogglePage toggle) {
        this.parts = parts;
        this.entries = entries;
        this.handle = numbers.handle();
        this.deferred = numbers.deferred();
        this.toggle = toggle;
        this.reader = new CompletionReader(parts.queues().recent(), this);
        this.taken = Doorbells.of(Doorbell.COMPLETIONS, numbers.number());
        this.armed = Doorbells.of(Doorbell.ARMED, numbers.number());
        this.armedSolicited = Doorbells.of(Doorbell.ARMED_SOLICITED, numbers.number());
        this.leftRing = Doorbells.of(Doorbell.CUT_OFF_SEEN, numbers.number());
    }

    @Override
    public int capacity() {
        return parts.sizes().capacity(entries.count(), deferred);
    }

    @Override
    public <C> int poll(C[] into, CompletionSink<C> sink) {
        int polled = kept.isEmpty() ? 0 : pollKept(into, sink);
        polled = pollEntries(into, polled, sink);
        if (polled == into.length || (failedSends.isEmpty() && failedReceives.isEmpty())) {
            return polled;
        }
        return flush(into, polled, sink);
    }

    private <C> int pollKept(C[] into, CompletionSink<C> sink) {
        int polled = 0;
        while (polled < into.length && !kept.isEmpty()) {
            C completion = into[polled];
            if (completion == null) {
                CompletionRing.requireFirst(polled);
                break;
            }
            kept.remove().copyTo(completion, sink);
            polled++;
        }
        return polled;
    }

    private <C> int pollEntries(C[] into, int already, CompletionSink<C> sink) {
        int polled = already;
        boolean any = false;
        while (polled < into.length) {
            long last = entries.last();
            if (!entries.isNew(last)) {
                break;
            }
            C completion = into[polled];
            if (completion == null) {
                CompletionRing.requireFirst(polled);
                break;
            }
            if (CompletionEntries.kind(last) == Entry.CUT_OFF) {
                cutOff = (int) last >>> Entry.TOGGLE_SHIFT & Entry.TOGGLE_MASK;
                return polled;
            }
            int outcome = reader.read(entries, last, completion, sink);
            polled += outcome & CompletionReader.COMPLETED;
            if ((outcome & CompletionReader.STAYS) == 0) {
                skipped += outcome / CompletionReader.IGNORED;
                any = true;
                advance();
            }
            if (deferred && untold >= entries.count() / 2) {
                untold = 0;
                tell();
            }
        }
        if (any && !deferred) {
            tell();
        }
        return polled;
    }

    private void advance() {
        if (entries.advance()) {
            epoch ^= 1;
        }
        untold++;
    }

    private void tell() {
        parts.doorbells().ring(taken, entries.head(), epoch);
    }

    private <C> int flush(C[] into, int already, CompletionSink<C> sink) {
        int polled = already;
        for (FailedQueues.Link each = failedSends.first(); each != null; each = each.next()) {
            polled = CompletionReader.flushSends(each.queue(), into, polled, sink);
        }
        for (FailedQueues.Link each = failedReceives.first(); each != null; each = each.next()) {
            polled = CompletionReader.flushReceives(each.queue(), into, polled, sink);
        }
        return polled;
    }

    @Override
    public long ignored() {
        return skipped;
    }

    /** The queue pairs whose sends polling flushes. */
    FailedQueues failedSends() {
        return failedSends;
    }

    /** The queue pairs whose receives polling flushes. */
    FailedQueues failedReceives() {
        return failedReceives;
    }

    @Override
    public void forget(QueueRings gone) {
        BnxtQueueRings queue = (BnxtQueueRings) gone;
        queue.forget(this);
        kept.removeIf(each -> each.isOf(queue.ends().number()));
        entries.forget(queue.handle(), queue.ends().shared());
    }

    @Override
    public void arm(boolean solicitedOnly) {
        long doorbell = solicitedOnly ? armedSolicited : armed;
        parts.doorbells().ring(doorbell | toggle.bits(), entries.head(), epoch);
    }

    // ---- another size

    /** Prepares a new ring, to which the device moves soon after the command. */
    @Override
    public Creation<Created.Cq, CompletionRing> resize(int asked) throws RdmaException {
        int count = parts.sizes().completions(asked);
        if (count == entries.count()) {
            throw new ErrnoException(
                    "RESIZE_CQ of bnxt_re",
                    Errno.EINVAL,
                    "the queue has a ring of " + count + " entries already, which is the size for the request");
        }
        RingMemory memory = parts.device().allocate(count << Entry.SHIFT, "bnxt_re completion ring");
        CompletionEntries next = new CompletionEntries(memory, count, FIRST_PHASE);
        return Creation.of(
                DriverExchange.of(ResizeCq.BYTES, 0, request -> request.putAddress(ResizeCq.CQ_VA, memory, 0)),
                granted -> {
                    awaitMove();
                    parts.device().leaveOldRing(handle);
                    moveTo(next, parts.sizes().isDeferred(asked));
                    return this;
                },
                // late writes of the device are harmless, because the kernel holds the memory
                destroyed -> memory.retire());
    }

    /** Keeps completions until the cut-off entry, the last that the device writes to the old ring. */
    private void awaitMove() throws ErrnoException {
        long start = System.nanoTime();
        while (!keepEntries()) {
            if (System.nanoTime() - start > MOST_NANOS) {
                throw new ErrnoException(
                        "RESIZE_CQ of bnxt_re",
                        Errno.EIO,
                        "the device continues in the old ring; close the completion queue");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Keeps the completions of the ring; returns true if the device has left the ring. */
    private boolean keepEntries() {
        KeptCompletion[] one = {new KeptCompletion()};
        while (pollEntries(one, 0, KeptCompletion.SINK) > 0) {
            kept.add(one[0]);
            one[0] = new KeptCompletion();
        }
        return cutOff >= 0;
    }

    /** Continues in another ring, after informing the kernel. */
    private void moveTo(CompletionEntries next, boolean half) {
        int head = entries.head();
        deferred = half;
        entries.memory().retire();
        entries = next;
        // the device ignores a lower index as late, unless the lap bit differs
        if (head > 0) {
            epoch ^= 1;
        }
        parts.doorbells().ring(leftRing | Doorbells.toggle(cutOff), 0, epoch);
        cutOff = -1;
    }

    @Override
    public void retire(boolean destroyed) {
        entries.memory().retire();
        toggle.retire();
    }
}
