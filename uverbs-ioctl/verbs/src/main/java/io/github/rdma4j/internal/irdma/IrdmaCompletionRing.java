// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Doorbells;
import io.github.rdma4j.internal.irdma.IrdmaAbi.ResizeCq;
import io.github.rdma4j.internal.irdma.RegisteredMemory.Parts;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A completion queue. The device writes entries of 32 or 64 bytes; a bit of an entry changes with every lap of the ring, and
 * so distinguishes new entries from old entries.
 *
 * <p>After a change of the size, the rings from before are polled until a completion is found in a newer one. Polling makes
 * no system call, so their memory is given back with the next change or with the queue.
 */
final class IrdmaCompletionRing implements CompletionRing {
    private final IrdmaContext context;
    private final CompletionReader reader;
    private final CompletionShadow shadow;
    private final int doorbell;

    private CompletionEntries entries;

    /** The rings from before that may have completions, the oldest first. */
    private CompletionEntries[] replaced = {};

    /** Memory of rings from before that have none. */
    private final List<RegisteredMemory> emptied = new ArrayList<>();

    /** An event is to come. */
    private boolean armed;

    /** Another event is wanted after the one that is to come. */
    private boolean armsAgain;

    /** Queue pairs in ERR whose completions go to this ring. */
    private volatile IrdmaQueueRings[] failed = {};

    private final ReentrantLock changing = new ReentrantLock();

    IrdmaCompletionRing(IrdmaContext context, CompletionEntries entries, CompletionShadow shadow, int number) {
        this.context = context;
        this.reader = new CompletionReader(context.queues().recent(), this);
        this.entries = entries;
        this.shadow = shadow;
        this.doorbell = IrdmaSendRing.littleEndian(number);
    }

    @Override
    public int capacity() {
        return context.sizes().capacity(entries.entries());
    }

    @Override
    public <C> int poll(C[] into, CompletionSink<C> sink) {
        int polled = replaced.length == 0 ? 0 : pollReplaced(into, sink);
        polled = poll(entries, into, polled, sink);
        if (replaced.length != 0 && entries.isBegun()) {
            giveUp(replaced.length);
        }
        IrdmaQueueRings[] ended = failed;
        return ended.length == 0 ? polled : reader.flush(ended, into, polled, sink);
    }

    /** Takes completions from the rings from before; those before the last that the device has begun are empty. */
    private <C> int pollReplaced(C[] into, CompletionSink<C> sink) {
        int polled = 0;
        int last = 0;
        for (int i = 0; i < replaced.length; i++) {
            polled = poll(replaced[i], into, polled, sink);
            if (i > 0 && replaced[i].isBegun()) {
                last = i;
            }
        }
        if (last > 0) {
            giveUp(last);
        }
        return polled;
    }

    private void giveUp(int count) {
        for (int i = 0; i < count; i++) {
            emptied.add(replaced[i].memory());
        }
        replaced = Arrays.copyOfRange(replaced, count, replaced.length);
        shadow.emptied(count);
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

    /** Makes polling also complete what the device does not complete of {@code queue}. */
    void addFailed(IrdmaQueueRings queue) {
        changing.lock();
        try {
            IrdmaQueueRings[] more = Arrays.copyOf(failed, failed.length + 1);
            more[failed.length] = queue;
            failed = more;
        } finally {
            changing.unlock();
        }
    }

    @Override
    public void forget(QueueRings gone) {
        changing.lock();
        try {
            failed = Arrays.stream(failed).filter(each -> each != gone).toArray(IrdmaQueueRings[]::new);
        } finally {
            changing.unlock();
        }
        IrdmaQueueRings queue = (IrdmaQueueRings) gone;
        for (CompletionEntries each : replaced) {
            each.forget(queue.handle(), queue::freeShared);
        }
        entries.forget(queue.handle(), queue::freeShared);
    }

    // ---- events

    /** An event that was asked for comes before another can be asked for, but one for any completion. */
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
        context.doorbells().ring(Doorbells.ARMED, doorbell);
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
        if (!context.attributes().has(Attributes.RESIZES)) {
            throw new UnsupportedOperationException(
                    "the device cannot change the capacity of a completion queue: make one that is large enough");
        }
        releaseEmptied(true);
        boolean wide = context.attributes().has(Attributes.WIDE_COMPLETIONS);
        int bytes = CompletionEntries.bytes(count, wide);
        return new Resizing(new CompletionEntries(context.take(bytes, Parts.completions(bytes)), count, wide));
    }

    private void releaseEmptied(boolean destroyed) {
        emptied.forEach(each -> each.release(destroyed));
        emptied.clear();
    }

    private void replace(CompletionEntries next) {
        replaced = Arrays.copyOf(replaced, replaced.length + 1);
        replaced[replaced.length - 1] = entries;
        entries = next;
    }

    /** The driver's part of RESIZE_CQ. */
    private final class Resizing implements Creation<Created.Cq, CompletionRing> {
        private final CompletionEntries next;

        Resizing(CompletionEntries next) {
            this.next = next;
        }

        @Override
        public int requestBytes() {
            return ResizeCq.BYTES;
        }

        @Override
        public void writeRequest(DriverRequest request) {
            request.putAddress(ResizeCq.USER_CQ_BUFFER, next.memory().memory(), 0);
        }

        @Override
        public CompletionRing finish(Created.Cq granted) {
            replace(next);
            return IrdmaCompletionRing.this;
        }

        @Override
        public void abandon(boolean destroyed) {
            next.memory().release(destroyed);
        }
    }

    @Override
    public void retire(boolean destroyed) {
        releaseEmptied(destroyed);
        for (CompletionEntries each : replaced) {
            each.memory().release(destroyed);
        }
        entries.memory().release(destroyed);
        shadow.release(destroyed);
    }
}
