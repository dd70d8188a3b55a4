// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.irdma.Elements;
import io.github.rdma4j.internal.irdma.Elements.Completion;
import io.github.rdma4j.internal.irdma.Elements.Operations;
import io.github.rdma4j.internal.irdma.Elements.Shadow;
import io.github.rdma4j.providers.card.CardFault.Syndrome;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue of irdma. An entry with immediate data takes two quanta, and of generation 3 each entry has two. Before
 * generation 3 one entry flushes a queue: the device writes no other for the queue.
 */
public final class IrdmaCq extends CardCq {
    private static final int HEADER = Completion.HEADER_WORD * Long.BYTES;
    private static final int CONTEXT = Completion.CONTEXT_WORD * Long.BYTES;
    private static final int COUNTER_MASK = 0xff_ffff;
    private static final int FLUSH = 1;

    /**
     * Where a completion queue is.
     *
     * @param number the number of the queue
     * @param entries places for an entry of the smallest size
     * @param ring the entries
     * @param shadow the shadow area
     * @param generation 1 for X722, whose entries have one quantum each
     * @param page the doorbells of the context
     */
    public record Place(int number, int entries, Pinned ring, Pinned shadow, int generation, IrdmaPage page) {}

    private final Place place;
    private Pinned ring;

    /** The next place, counted without end. */
    private int next;

    /** For each completion that the process has not taken, the place behind it, counted without end. */
    private final Deque<Integer> ends = new ArrayDeque<>();

    private int consumed;
    private int seenArm;

    /** How often the ring was replaced. */
    private int replacements;

    public IrdmaCq(Card card, Place place) {
        super(place.number(), place.entries(), card.noted(), card.events());
        this.place = place;
        this.ring = place.ring();
    }

    IrdmaPage page() {
        return place.page();
    }

    /** Goes on in another ring; the process takes what is in the old one first. */
    public void moveTo(Pinned other) {
        ring = other;
        resized(other.length() / entryBytes());
        next = 0;
        consumed += ends.size();
        ends.clear();
        replacements = replacements + 1 & Shadow.RESIZES_MASK;
    }

    private boolean isWide() {
        return place.generation() == 3;
    }

    private int entryBytes() {
        return isWide() ? 2 * Elements.QUANTUM : Elements.QUANTUM;
    }

    private int recorded(int word) {
        return (int) Long.reverseBytes(place.shadow().getLongAcquire(word * Long.BYTES));
    }

    /** Sees what the process has taken of this ring. */
    private void lookAtHead() {
        if ((recorded(Shadow.ARM_WORD) & Shadow.RESIZES_MASK) != replacements) {
            return;
        }
        int waiting = Math.floorMod(next - recorded(Shadow.HEAD_WORD), entries());
        while (!ends.isEmpty() && ends.getFirst() - (next - waiting) <= 0) {
            ends.removeFirst();
            consumed++;
        }
    }

    /** Full when there is no room for the largest entry. */
    @Override
    int waiting() {
        lookAtHead();
        int largest = place.generation() == 2 ? 2 : 1;
        int used = ends.isEmpty() ? 0 : next - ends.getFirst() + largest;
        return used + largest >= entries() ? entries() : Math.min(ends.size(), entries() - 1);
    }

    @Override
    boolean passesOver(CardCompletion completion) {
        if (completion.syndrome == null || isWide()) {
            return false;
        }
        CardQp qp = completion.qp;
        return completion.ofSend
                ? qp.sends() instanceof IrdmaSends sends && !sends.flush()
                : qp.receives() instanceof IrdmaReceives receives && !receives.flush();
    }

    @Override
    void write(int index, CardCompletion completion) {
        QpSpec spec = completion.qp.spec();
        long context = ((IrdmaRings) spec.rings()).context();
        boolean shared = spec.srq() != null && !completion.ofSend;
        boolean received = completion.syndrome == null && !completion.ofSend;
        boolean extended = received && completion.operation.hasImmediate();
        boolean invalidates = received && completion.operation == Operation.SEND_INV;
        long header = (long) operation(completion) << Completion.OPERATION_SHIFT
                | (completion.ofSend ? Completion.SEND : 0)
                | (shared ? Completion.SHARED : (long) completion.counter << Completion.INDEX_SHIFT)
                | (extended ? Completion.EXTENDED : 0)
                | (invalidates ? Completion.INVALIDATED : 0)
                | error(completion.syndrome);
        ByteBuffer entry = ByteBuffer.allocate(2 * Elements.QUANTUM);
        entry.putLong(0, Long.reverseBytes(Integer.toUnsignedLong(completion.bytes)));
        entry.putLong(CONTEXT, Long.reverseBytes(shared ? completion.counter : context));
        int low = invalidates ? completion.immediate : completion.sourceQpn;
        long source = (long) spec.qpn() << Completion.QPN_SHIFT | Integer.toUnsignedLong(low);
        entry.putLong(Completion.SOURCE_WORD * Long.BYTES, Long.reverseBytes(source));
        entry.putLong(HEADER, Long.reverseBytes(header));
        if (shared) {
            entry.putLong(Elements.QUANTUM + CONTEXT, Long.reverseBytes(context));
        }
        if (extended) {
            entry.putLong(Elements.QUANTUM, Long.reverseBytes(Integer.toUnsignedLong(completion.immediate)));
            entry.putLong(Elements.QUANTUM + HEADER, Long.reverseBytes(Completion.IMMEDIATE));
        }
        int places = extended && !isWide() ? 2 : 1;
        if (extended || isWide()) {
            putSecond(entry.slice(Elements.QUANTUM, Elements.QUANTUM));
        }
        put(next, 0, entry);
        next += places;
        ends.add(next);
    }

    /** The second quantum comes before the first, which makes the entry new. */
    private void putSecond(ByteBuffer quantum) {
        if (isWide()) {
            put(next, Elements.QUANTUM, quantum);
        } else {
            put(next + 1, 0, quantum);
        }
    }

    @Override
    void write(int index, ByteBuffer bytes) {
        if (isWide()) {
            put(next, Elements.QUANTUM, bytes.slice(Elements.QUANTUM, Elements.QUANTUM));
        }
        put(next++, 0, bytes);
        ends.add(next);
    }

    /** Writes a quantum; its last bytes, which make it new, come last. */
    private void put(int index, int offset, ByteBuffer quantum) {
        int at = index % entries() * entryBytes() + offset;
        int high = HEADER + Integer.BYTES;
        ring.bytes().put(at, quantum, 0, high);
        int bit = (index / entries() & 1) == 0 ? 0x80 : 0;
        ring.setRelease(at + high, (quantum.getInt(high) & ~0x80) | bit);
    }

    private int operation(CardCompletion completion) {
        if (completion.ofSend) {
            return completion.code;
        }
        boolean written = completion.operation == Operation.WRITE_IMM;
        if (isWide()) {
            return written ? Operations.WRITE : Operations.SEND;
        }
        return written ? Operations.WRITE_ONLY_WITH_IMM : 0;
    }

    /** {@code enum irdma_flush_opcode} of rdma-core's {@code user.h}. */
    private static long error(@Nullable Syndrome syndrome) {
        if (syndrome == null) {
            return 0;
        }
        long minor = switch (syndrome) {
            case LOCAL_LENGTH_ERR -> 6;
            case LOCAL_QP_OP_ERR -> 4;
            case LOCAL_PROT_ERR -> 2;
            case WR_FLUSH_ERR -> 1;
            case MW_BIND_ERR -> 9;
            case REMOTE_INVAL_REQ_ERR -> 10;
            case REMOTE_ACCESS_ERR -> 3;
            case REMOTE_OP_ERR -> 5;
            case TRANSPORT_RETRY_EXC_ERR -> 8;
            case RNR_RETRY_EXC_ERR -> 11;
            default -> 7;
        };
        return Completion.ERROR | (long) FLUSH << Completion.MAJOR_SHIFT | minor;
    }

    // ---- events

    /** Takes what the shadow area says, when a queue of the context was armed. */
    void armAsRecorded() {
        int word = recorded(Shadow.ARM_WORD);
        int sequence = word >>> Shadow.SEQUENCE_SHIFT & Shadow.SEQUENCE_MASK;
        if (sequence == seenArm) {
            return;
        }
        seenArm = sequence;
        lookAtHead();
        arm((word & Shadow.ARM_ANY) == 0, consumed, COUNTER_MASK);
    }
}
