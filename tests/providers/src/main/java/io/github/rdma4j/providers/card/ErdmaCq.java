// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.erdma.Elements;
import io.github.rdma4j.internal.erdma.Elements.Completion;
import io.github.rdma4j.internal.erdma.Elements.Doorbells;
import io.github.rdma4j.internal.erdma.Elements.Operations;
import io.github.rdma4j.providers.card.CardFault.Syndrome;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A completion queue of erdma. The process tells the device what it has taken when it asks for an event, and at no other time. */
public final class ErdmaCq extends CardCq {
    private static final int NO_EVENT = -1;

    /**
     * Where a completion queue is.
     *
     * @param number the number of the queue
     * @param entries entries of the ring
     * @param ring the entries
     * @param record the doorbell record
     * @param pages the doorbells of the context
     */
    public record Place(int number, int entries, Pinned ring, Pinned record, ErdmaPages pages) {}

    private final Place place;
    private long seenArm;
    private int firedEvent = NO_EVENT;
    private int armedEvent;

    public ErdmaCq(Card card, Place place) {
        super(place.number(), place.entries(), card.noted(), card.events());
        this.place = place;
    }

    ErdmaPages pages() {
        return place.pages();
    }

    /** The device learns too late what was taken to know of an overrun. */
    @Override
    int waiting() {
        return 0;
    }

    private int at(int index) {
        return (index & entries() - 1) * Elements.BLOCK;
    }

    private int owner(int index) {
        return (index & entries()) == 0 ? Completion.OWNER : 0;
    }

    @Override
    void write(int index, CardCompletion completion) {
        ByteBuffer entry = ByteBuffer.allocate(Elements.BLOCK);
        int queue = completion.ofSend ? Completion.SENDS : Completion.RECEIVES;
        entry.putInt(
                Completion.HEADER,
                operation(completion) << Completion.OPERATION_SHIFT
                        | queue << Completion.QUEUE_SHIFT
                        | status(completion.syndrome, completion.ofSend));
        entry.putInt(Completion.INDEX, completion.counter);
        entry.putInt(Completion.QPN, completion.qp.qpn());
        entry.putInt(Completion.IMMEDIATE, Integer.reverseBytes(completion.immediate));
        entry.putInt(Completion.SIZE, completion.bytes);
        write(index, entry);
    }

    @Override
    void write(int index, ByteBuffer bytes) {
        place.ring().bytes().put(at(index) + Integer.BYTES, bytes, Integer.BYTES, Elements.BLOCK - Integer.BYTES);
        int header = bytes.getInt(Completion.HEADER) & ~Completion.OWNER;
        place.ring().setRelease(at(index), header | owner(index));
    }

    private static int operation(CardCompletion completion) {
        if (completion.ofSend) {
            return completion.code;
        }
        return switch (completion.operation) {
            case WRITE_IMM -> Operations.RECV_IMM;
            case SEND_IMM -> Operations.RSP_SEND_IMM;
            case SEND_INV -> Operations.RECV_INV;
            default -> Operations.RECEIVE;
        };
    }

    /** {@code enum erdma_wc_status} of rdma-core's {@code erdma_hw.h}. */
    private static int status(@Nullable Syndrome syndrome, boolean send) {
        if (syndrome == null) {
            return 0;
        }
        return switch (syndrome) {
            case LOCAL_LENGTH_ERR -> send ? 11 : 4;
            case LOCAL_QP_OP_ERR -> send ? 8 : 2;
            case LOCAL_PROT_ERR -> send ? 10 : 3;
            case WR_FLUSH_ERR -> 15;
            case TRANSPORT_RETRY_EXC_ERR, RNR_RETRY_EXC_ERR -> 16;
            default -> 1;
        };
    }

    @Override
    void fired() {
        firedEvent = armedEvent;
    }

    private long recorded() {
        return Long.reverseBytes(place.record().getLongAcquire(0));
    }

    /** The doorbell of the queue has been rung. */
    void arm(long doorbell) {
        if (recorded() != doorbell) {
            complaints()
                    .add(String.format(
                            "CQ 0x%x armed with %016x, but its record says %016x", number(), doorbell, recorded()));
        }
        take(recorded());
    }

    /** Takes what the record says when another queue's doorbell may have taken the place of this queue's. */
    void armAsRecorded() {
        if (recorded() != seenArm) {
            take(recorded());
        }
    }

    private void take(long doorbell) {
        seenArm = doorbell;
        int word = (int) doorbell;
        if ((word & Doorbells.ARM) == 0) {
            return;
        }
        int event = word >>> Doorbells.EVENTS_SHIFT & Doorbells.EVENTS_MASK;
        if (event == firedEvent) {
            passOverArm();
            return;
        }
        armedEvent = event;
        arm((word & Doorbells.SOLICITED) != 0, word, Doorbells.CONSUMER_MASK);
    }
}
