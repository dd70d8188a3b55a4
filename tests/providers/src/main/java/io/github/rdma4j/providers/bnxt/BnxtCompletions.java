// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateCq;
import io.github.rdma4j.internal.bnxt.BnxtAbi.ResizeCq;
import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.PlayedQueues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A completion queue of a script, and the device that writes its entries. */
final class BnxtCompletions extends PlayedQueues.Completions {
    private static final int TOGGLES = 3;
    private static final long MAC = 0x1234_5678_90abL;

    private final PlayedBnxt driver;
    private final int number;
    private int entries;
    private int producer;
    private int written;
    private int resized;

    BnxtCompletions(PlayedBnxt driver, CompletionRing ring, CapturedRequest request, int number) {
        super(ring, request.memory(CreateCq.CQ_VA).order(ByteOrder.LITTLE_ENDIAN));
        this.driver = driver;
        this.number = number;
        this.entries = entries(driver.lastAsked());
    }

    private int entries(int asked) {
        return Math.min(driver.mode().depth(asked + 1), driver.mode().completions() + 1);
    }

    @Override
    protected String recordText() {
        return "  no record";
    }

    private static long hex(String word) {
        return Integer.toUnsignedLong(Integer.parseUnsignedInt(word, 16));
    }

    /** {@code cqe CQ QP TYPE STATUS INDEX BYTES IMMEDIATE FLAGS SOURCE} */
    @Override
    public void complete(PlayedQueues.Pair of, String[] words) {
        BnxtQueues.Pair pair = (BnxtQueues.Pair) of;
        int kind = Integer.parseInt(words[3]);
        int index = Integer.parseInt(words[5]);
        long source = hex(words[9]);
        long last =
                (long) kind << Entry.KIND_SHIFT | Long.parseLong(words[4]) << Entry.STATUS_SHIFT | hex(words[8]) << 16;
        ByteBuffer entry = ByteBuffer.allocate(Entry.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        if (kind == Entry.SEND || kind == Entry.TERMINAL) {
            entry.putLong(0, pair.handle()).putLong(8, pair.after(index));
        } else {
            entry.putLong(0, Long.parseLong(words[6]) | hex(words[7]) << Integer.SIZE);
            entry.putLong(8, pair.handle());
            boolean datagram = kind == Entry.RECEIVE_DATAGRAM;
            entry.putLong(16, datagram ? (source << Entry.SOURCE_LOW_SHIFT) | MAC : 0);
            last |= (index | ((source >>> 16) << 24)) << Integer.SIZE;
        }
        write(entry.putLong(24, last));
    }

    @Override
    public void resize(CapturedRequest request, int asked) {
        ByteBuffer left = ByteBuffer.allocate(Entry.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        int toggle = resized++ & TOGGLES;
        write(left.putLong(24, Entry.CUT_OFF << Entry.KIND_SHIFT | toggle << Entry.TOGGLE_SHIFT));
        moveTo(request.memory(ResizeCq.CQ_VA).order(ByteOrder.LITTLE_ENDIAN));
        entries = entries(asked);
        producer = 0;
    }

    /** Writes any 32 bytes, with the bit of this lap. */
    @Override
    protected void write(ByteBuffer entry) {
        ByteBuffer bytes = entry.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        long phase = (producer / entries & 1) == 0 ? Entry.PHASE : 0;
        bytes.putLong(24, (bytes.getLong(24) & ~(long) Entry.PHASE) | phase);
        memory().put(producer++ % entries * Entry.BYTES, bytes, 0, Entry.BYTES);
        driver.device().toggle(number, written++ & TOGGLES);
    }
}
