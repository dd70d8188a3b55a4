// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.bnxt.Elements.Doorbell;
import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.providers.card.CardFault.Syndrome;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue of bnxt_re. The device completes one request of a queue pair that fails, or says that it has failed; the process
 * flushes the others.
 */
public final class BnxtCq extends CardCq {
    private static final int LAST = Entry.BYTES - Long.BYTES;
    private static final int TOGGLES = 3;

    /**
     * Where a completion queue is.
     *
     * @param number the number of the queue
     * @param entries entries of the ring
     * @param ring the entries
     * @param toggle where the kernel counts events for the process, null if it does not
     * @param page the doorbells of the context
     */
    public record Place(
            int number, int entries, Pinned ring, @Nullable Pinned toggle, BnxtPage page) {}

    private final Place place;
    private Pinned ring;
    private RungIndex head;

    /** The entries written before those of this ring. */
    private int before;

    private int consumed;
    private int eventCount;
    private int moves;

    /** The process has not said that it has left the ring from before. */
    private boolean leaving;

    public BnxtCq(Card card, Place place) {
        super(place.number(), place.entries(), card.noted(), card.events());
        this.place = place;
        this.ring = place.ring();
        this.head = new RungIndex(place.entries());
    }

    BnxtPage page() {
        return place.page();
    }

    @Override
    int waiting() {
        return place.page().isWatched() ? written() - consumed : 0;
    }

    @Override
    void fired() {
        eventCount++;
        if (place.toggle() != null) {
            place.toggle().setRelease(0, Integer.reverseBytes(eventCount & TOGGLES));
        }
    }

    /** False for a doorbell that cannot be. */
    boolean ring(BnxtPage.Rung rung) {
        if (rung.kind() == Doorbell.CUT_OFF_SEEN) {
            boolean asked = leaving && rung.toggle() == (moves - 1 & TOGGLES);
            head = new RungIndex(entries());
            head.advance(0, rung.epoch());
            leaving = false;
            return asked && rung.index() == 0;
        }
        if (!leaving) {
            int taken = head.advance(rung.index(), rung.epoch());
            consumed += Math.max(0, taken);
            if (taken < 0 || waiting() < 0) {
                return false;
            }
        }
        if (rung.kind() == Doorbell.COMPLETIONS) {
            return true;
        }
        if (place.toggle() != null && rung.toggle() != (eventCount & TOGGLES)) {
            passOverArm();
        } else {
            arm(rung.kind() == Doorbell.ARMED_SOLICITED, consumed, -1);
        }
        return true;
    }

    /** Leaves the ring with an entry that says so, and goes on in another. */
    public void moveTo(Pinned other, int entries) {
        int toggle = moves++ & TOGGLES;
        forge(ByteBuffer.allocate(Entry.BYTES)
                .putLong(LAST, Long.reverseBytes(Entry.CUT_OFF << Entry.KIND_SHIFT | toggle << Entry.TOGGLE_SHIFT)));
        ring = other;
        resized(entries);
        before = written();
        consumed = written();
        leaving = true;
    }

    @Override
    boolean passesOver(CardCompletion completion) {
        if (completion.syndrome != Syndrome.WR_FLUSH_ERR) {
            return false;
        }
        CardQp qp = completion.qp;
        if (!((BnxtRings) qp.spec().rings()).format().terminates()) {
            return true;
        }
        return completion.ofSend
                ? qp.sends() instanceof BnxtSends sends && sends.isFailed()
                : qp.receives() instanceof BnxtReceives receives && receives.isFailed();
    }

    @Override
    void write(int index, CardCompletion completion) {
        CardQp qp = completion.qp;
        QpSpec spec = qp.spec();
        BnxtRings rings = (BnxtRings) spec.rings();
        Syndrome syndrome = completion.syndrome;
        ByteBuffer entry = ByteBuffer.allocate(Entry.BYTES);
        long last;
        // libbnxt_re has no receives to flush for a queue pair with a shared receive queue, and looks for them.
        boolean terminates = syndrome == Syndrome.WR_FLUSH_ERR && spec.srq() == null;
        if (terminates || completion.ofSend) {
            int end = (completion.counter + 1) % rings.format().names();
            entry.putLong(0, Long.reverseBytes(rings.handle())).putLong(8, Long.reverseBytes((long) end));
            last = (long) (terminates ? Entry.TERMINAL : Entry.SEND) << Entry.KIND_SHIFT
                    | (terminates || syndrome == null ? 0 : ofSend(syndrome)) << Entry.STATUS_SHIFT;
        } else {
            last = putReceive(entry, completion, spec, rings.handle());
        }
        fail(qp, syndrome, terminates, completion.ofSend);
        write(index, entry.putLong(LAST, Long.reverseBytes(last)));
    }

    private static void fail(CardQp qp, @Nullable Syndrome syndrome, boolean terminates, boolean ofSend) {
        if (syndrome != null && (terminates || ofSend) && qp.sends() instanceof BnxtSends sends) {
            sends.fail();
        }
        if (syndrome != null && (terminates || !ofSend) && qp.receives() instanceof BnxtReceives receives) {
            receives.fail();
        }
    }

    private static long putReceive(ByteBuffer entry, CardCompletion completion, QpSpec spec, long handle) {
        boolean datagram = spec.type() == QpSpec.UD;
        Operation operation = completion.operation;
        Syndrome syndrome = completion.syndrome;
        long source = completion.sourceQpn;
        entry.putLong(
                0,
                Long.reverseBytes(
                        Integer.toUnsignedLong(completion.bytes) | (long) completion.immediate << Integer.SIZE));
        entry.putLong(8, Long.reverseBytes(handle));
        entry.putLong(16, Long.reverseBytes(datagram ? source << Entry.SOURCE_LOW_SHIFT : 0));
        return (long) (datagram ? Entry.RECEIVE_DATAGRAM : Entry.RECEIVE) << Entry.KIND_SHIFT
                | (syndrome == null ? 0 : ofReceive(syndrome)) << Entry.STATUS_SHIFT
                | (syndrome == null && operation.hasImmediate() ? Entry.IMMEDIATE : 0)
                | (syndrome == null && operation == Operation.WRITE_IMM ? Entry.WRITTEN : 0)
                | (long) completion.counter << Entry.TAG_SHIFT
                | (datagram ? source >>> 16 << Entry.SOURCE_HIGH_SHIFT : 0);
    }

    /** Writes an entry; its last bytes, which make it new, come last. */
    @Override
    void write(int index, ByteBuffer bytes) {
        int place = (index - before) % entries() * Entry.BYTES;
        ring.bytes().put(place, bytes, 0, LAST);
        ring.bytes().putInt(place + LAST + Integer.BYTES, bytes.getInt(LAST + Integer.BYTES));
        int phase = ((index - before) / entries() & 1) == 0 ? Entry.PHASE : 0;
        int word = (Integer.reverseBytes(bytes.getInt(LAST)) & ~Entry.PHASE) | phase;
        ring.setRelease(place + LAST, Integer.reverseBytes(word));
    }

    private static int ofSend(Syndrome syndrome) {
        return switch (syndrome) {
            case LOCAL_LENGTH_ERR -> 2;
            case LOCAL_QP_OP_ERR -> 3;
            case LOCAL_PROT_ERR -> 4;
            case MW_BIND_ERR -> 5;
            case REMOTE_INVAL_REQ_ERR -> 6;
            case REMOTE_ACCESS_ERR -> 7;
            case REMOTE_OP_ERR, REMOTE_ABORTED_ERR -> 8;
            case RNR_RETRY_EXC_ERR -> 9;
            case TRANSPORT_RETRY_EXC_ERR -> 10;
            case WR_FLUSH_ERR -> 11;
        };
    }

    private static int ofReceive(Syndrome syndrome) {
        return switch (syndrome) {
            case LOCAL_LENGTH_ERR -> 2;
            case LOCAL_PROT_ERR -> 3;
            case LOCAL_QP_OP_ERR -> 4;
            case WR_FLUSH_ERR -> 7;
            default -> 1;
        };
    }
}
