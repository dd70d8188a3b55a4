// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Doorbells;
import io.github.rdma4j.internal.irdma.IrdmaAbi.ResizeCq;
import io.github.rdma4j.internal.irdma.RegisteredMemory.Parts;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.kernel.RdmaException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A completion queue. The device writes entries of 32 or 64 bytes; a bit of an entry changes with every lap of the
 * ring, and so distinguishes new entries from old entries.
 *
 * <p>After a resize, older rings are polled until a newer ring has an entry. Polling makes no system call, so the
 * memory of older rings is released by the next resize or with the queue.
 */
final class IrdmaCompletionRing implements CompletionRing {
    private final IrdmaParts parts;
    private final CompletionReader reader;
    private final CompletionShadow shadow;
    private final int doorbell;

    /** The newest ring, in which the device continues. */
    private CompletionEntries entries;

    /** The oldest ring that may have completions. */
    private CompletionEntries oldest;

    /** The oldest ring whose memory is not released; the rings before {@link #oldest} stay empty. */
    private CompletionEntries kept;

    /** True if an event is pending. */
    private boolean armed;

    /** True if another event is wanted after the pending event. */
    private boolean armsAgain;

    /** Queue pairs in ERR whose completions go to this ring. */
    private final List<IrdmaQueueRings> failed = new CopyOnWriteArrayList<>();

    IrdmaCompletionRing(IrdmaParts parts, CompletionEntries entries, CompletionShadow shadow, int number) {
        this.parts = parts;
        this.reader = new CompletionReader(parts.queues().recent(), this);
        this.entries = entries;
        this.oldest = entries;
        this.kept = entries;
        this.shadow = shadow;
        this.doorbell = Elements.littleEndian(number);
    }

    @Override
    public int capacity() {
        return parts.sizes().capacity(entries.entries());
    }

    @Override
    public <C> int poll(C[] into, CompletionSink<C> sink) {
        int polled = oldest == entries ? 0 : pollReplaced(into, sink);
        if (oldest == entries) {
            polled = poll(entries, into, polled, sink);
        }
        return failed.isEmpty() ? polled : reader.flush(failed, into, polled, sink);
    }

    /**
     * Takes completions from older rings. A ring stays empty if it was empty after a newer ring had an entry: the
     * device writes to the newer ring last.
     */
    private <C> int pollReplaced(C[] into, CompletionSink<C> sink) {
        int polled = 0;
        while (oldest != entries && polled < into.length) {
            boolean left = isLeft(oldest);
            polled = poll(oldest, into, polled, sink);
            if (!left || polled == into.length || oldest.hasNew()) {
                return polled;
            }
            oldest = Objects.requireNonNull(oldest.next());
            shadow.emptied(1);
        }
        return polled;
    }

    /** True if the device has written to a newer ring. */
    private static boolean isLeft(CompletionEntries ring) {
        for (CompletionEntries each = ring.next(); each != null; each = each.next()) {
            if (each.hasNew()) {
                return true;
            }
        }
        return false;
    }

    private <C> int poll(CompletionEntries from, C[] into, int already, CompletionSink<C> sink) {
        int head = from.head();
        int polled = reader.read(from, into, already, sink);
        if (from.head() != head) {
            shadow.polled(from.head());
        }
        return polled;
    }

    @Override
    public long ignored() {
        return reader.skipped();
    }

    /** Makes polling also complete the requests of {@code queue} that the device does not complete. */
    void addFailed(IrdmaQueueRings queue) {
        failed.add(queue);
    }

    @Override
    public void forget(QueueRings gone) {
        failed.remove(gone);
        IrdmaQueueRings queue = (IrdmaQueueRings) gone;
        for (CompletionEntries each = oldest; each != null; each = each.next()) {
            each.forget(queue.handle(), queue::freeShared);
        }
    }

    // ---- events

    /**
     * Arms the queue. A pending event comes before another solicited event can be requested; an event for any
     * completion can be requested at once.
     */
    @Override
    public void arm(boolean solicitedOnly) {
        if (armed && solicitedOnly) {
            armsAgain = true;
        } else {
            armNow(solicitedOnly);
        }
    }

    private void armNow(boolean solicitedOnly) {
        armed = true;
        armsAgain = false;
        shadow.arm(solicitedOnly);
        parts.doorbells().ring(Doorbells.ARMED, doorbell);
    }

    @Override
    public void eventTaken() {
        if (armsAgain) {
            armNow(false);
        } else {
            armed = false;
        }
    }

    // ---- another size

    @Override
    public Creation<Created.Cq, CompletionRing> resize(int count) throws RdmaException {
        if (!parts.attributes().has(Attributes.RESIZES)) {
            throw new UnsupportedOperationException(
                    "the device cannot change the capacity of a completion queue: create the queue with enough entries");
        }
        releaseEmptied(true);
        int bytes = CompletionEntries.bytes(count, parts.wideCompletions());
        RegisteredMemory memory = parts.take(bytes, Parts.completions(bytes));
        CompletionEntries next = new CompletionEntries(memory, count, parts.wideCompletions());
        return Creation.of(
                DriverExchange.of(
                        ResizeCq.BYTES, 0, request -> request.putAddress(ResizeCq.USER_CQ_BUFFER, memory.memory(), 0)),
                granted -> {
                    entries.goOnIn(next);
                    entries = next;
                    return this;
                },
                memory::release);
    }

    private void releaseEmptied(boolean destroyed) {
        while (kept != oldest) {
            RegisteredMemory memory = kept.memory();
            kept = Objects.requireNonNull(kept.next());
            memory.release(destroyed);
        }
    }

    @Override
    public void retire(boolean destroyed) {
        for (CompletionEntries each = kept; each != null; each = each.next()) {
            each.memory().release(destroyed);
        }
        shadow.release(destroyed);
    }
}
