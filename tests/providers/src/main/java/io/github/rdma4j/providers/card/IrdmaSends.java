// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.irdma.Elements;
import io.github.rdma4j.internal.irdma.Elements.Header;
import io.github.rdma4j.internal.irdma.Elements.Operations;
import io.github.rdma4j.providers.card.CardFault.Syndrome;
import io.github.rdma4j.providers.card.MemoryKey.Segment;
import io.github.rdma4j.providers.card.SendElement.Memory;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The send ring of a queue pair of irdma. A doorbell wakes the device, which then takes elements as long as they are valid.
 * Whatever does not fit the queue pair, the place or the format fails the request with {@link Syndrome#LOCAL_QP_OP_ERR}, and is
 * complained about.
 */
final class IrdmaSends implements SendSource {
    private final QpSpec spec;
    private final IrdmaRings rings;
    private final IrdmaRings.Format format;
    private final Complaints complaints;
    private int position;
    private boolean awake;
    private boolean flushed;

    IrdmaSends(QpSpec spec, IrdmaRings rings, Complaints complaints) {
        this.spec = spec;
        this.rings = rings;
        this.format = rings.format();
        this.complaints = complaints;
        this.position = format.kernelSends();
    }

    IrdmaPage page() {
        return rings.page();
    }

    void ring() {
        awake = true;
    }

    /** The completion that flushes the queue is written; true for the first time. */
    boolean flush() {
        boolean first = !flushed;
        flushed = true;
        return first;
    }

    private int at() {
        return head() * Elements.QUANTUM;
    }

    private long header() {
        return IrdmaElement.header(rings.ring(), at());
    }

    private static int operation(long header) {
        return (int) (header >>> Header.OPERATION_SHIFT) & Header.OPERATION_MASK;
    }

    /** Whether an element is one of this lap: the first lap has valid bits. */
    private boolean isValid(long header) {
        return header < 0 == ((position / format.sendQuanta() & 1) == 0);
    }

    @Override
    public int head() {
        return position % format.sendQuanta();
    }

    /** Skips what does nothing; sleeps again when nothing is valid. */
    @Override
    public boolean hasWork() {
        while (awake) {
            long header = header();
            if (!isValid(header)) {
                awake = false;
            } else if (operation(header) != Operations.NOP) {
                return true;
            } else {
                position++;
            }
        }
        return false;
    }

    @Override
    public int code() {
        return operation(header());
    }

    @Override
    public int units() {
        return IrdmaElement.quanta(header(), format.firstGeneration());
    }

    @Override
    public void advance(int units) {
        position += units;
    }

    @Override
    public void reset() {
        position = format.kernelSends();
        awake = false;
        flushed = false;
    }

    // ---- reading

    @Override
    public SendElement read() throws CardFault {
        long header = header();
        int quanta = units();
        int inChunk = head() % format.chunk();
        require(inChunk + quanta <= format.chunk(), "%d quanta, which do not fit its chunk", quanta);
        IrdmaElement element = IrdmaElement.read(rings.ring(), at(), quanta, format.firstGeneration());
        boolean immediate = (header & Header.IMMEDIATE) != 0;
        Operation operation = operationOf(operation(header), immediate);
        if (operation.isAtomic()) {
            return readAtomic(header, operation, element);
        }
        if (operation.isLocal()) {
            return window(element, operation, header);
        }
        require(element.isWhole(immediate), "a part of another lap, in %d quanta", quanta);
        List<Segment> pieces = (header & Header.INLINE) == 0 ? element.pieces(immediate) : List.of();
        ByteBuffer inline = (header & Header.INLINE) == 0 ? null : element.inline();
        int length = inline != null ? inline.capacity() : (int) Segment.total(pieces);
        boolean remote = operation.hasRemoteAddress();
        int word = operation == Operation.SEND_INV ? (int) header : immediate ? (int) element.word(0) : 0;
        Segment target = new Segment(length, remote ? (int) header : 0, remote ? element.word(2) : 0);
        Memory memory = new Memory(target, pieces, inline);
        Destination to = destination(header, element);
        return new SendElement(head(), operation, code(), quanta, flags(header), word, 0, to, memory);
    }

    private SendElement readAtomic(long header, Operation operation, IrdmaElement element) throws CardFault {
        boolean whole = units() == 2 && (element.word(Elements.QUANTUM_WORDS + Header.WORD) ^ header) >= 0;
        require(whole, "a part of another lap, in %d quanta", units());
        Segment local = new Segment(Long.BYTES, (int) element.word(1), element.word(0));
        Segment remote = new Segment(Long.BYTES, (int) header, element.word(2));
        long operand = element.word(Elements.QUANTUM_WORDS);
        long compare = element.word(Elements.QUANTUM_WORDS + 1);
        Memory memory = new Memory(remote, operand, compare, List.of(local), null);
        return new SendElement(head(), operation, code(), units(), flags(header), 0, 0, null, memory);
    }

    private SendElement window(IrdmaElement element, Operation operation, long header) throws CardFault {
        boolean binds = operation == Operation.BIND;
        require(!binds || IrdmaWindow.isBinding(header), "no marks of a window but %d", (int)
                (header >>> Integer.SIZE));
        IrdmaWindow window = binds
                ? IrdmaWindow.bound(element, header, format.firstGeneration())
                : IrdmaWindow.invalidated(element, format.firstGeneration());
        return window.element(head(), operation, code(), flags(header));
    }

    private Operation operationOf(int number, boolean immediate) throws CardFault {
        boolean datagram = spec.type() == QpSpec.UD;
        boolean send = number == Operations.SEND || number == Operations.SEND_SOLICITED;
        require(send || !datagram, "the operation %d of a queue pair of datagrams", number);
        return switch (number) {
            case Operations.SEND, Operations.SEND_SOLICITED -> immediate ? Operation.SEND_IMM : Operation.SEND;
            case Operations.SEND_WITH_INV, Operations.SEND_SOLICITED_WITH_INV -> Operation.SEND_INV;
            case Operations.WRITE, Operations.WRITE_SOLICITED -> immediate ? Operation.WRITE_IMM : Operation.WRITE;
            case Operations.READ -> Operation.READ;
            case Operations.FETCH_ADD -> atomic(Operation.FETCH_AND_ADD);
            case Operations.COMPARE_SWAP -> atomic(Operation.COMPARE_AND_SWAP);
            case Operations.BIND -> Operation.BIND;
            case Operations.INVALIDATE -> Operation.INVALIDATE;
            default -> throw complaints.fault(spec.qpn(), head(), "the operation %d", number);
        };
    }

    private Operation atomic(Operation operation) throws CardFault {
        require(format.generation() == 3, "an atomic operation, of generation %d", format.generation());
        return operation;
    }

    private static int flags(long header) {
        int operation = operation(header);
        boolean solicited = operation == Operations.SEND_SOLICITED
                || operation == Operations.SEND_SOLICITED_WITH_INV
                || operation == Operations.WRITE_SOLICITED;
        return ((header & Header.SIGNALED) != 0 ? SendElement.SIGNALED : 0)
                | (solicited ? SendElement.SOLICITED : 0)
                | ((header & Header.FENCE) != 0 ? SendElement.FENCE : 0);
    }

    private @Nullable Destination destination(long header, IrdmaElement element) throws CardFault {
        if (spec.type() != QpSpec.UD) {
            return null;
        }
        int id = (int) header & Header.ADDRESS_MASK;
        long word = element.word(2);
        Destination to = page().addresses().destination(id, (int) (word >>> Integer.SIZE), (int) word);
        if (to == null) {
            throw complaints.fault(spec.qpn(), head(), "the address %d", id);
        }
        return to;
    }

    private void require(boolean holds, String what, int value) throws CardFault {
        complaints.require(holds, spec.qpn(), head(), what, value);
    }

    @Override
    public String toString() {
        return "at " + position + (awake ? ", awake" : "");
    }
}
