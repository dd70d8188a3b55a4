// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.erdma;

import io.github.rdma4j.internal.erdma.Elements;
import io.github.rdma4j.internal.erdma.Elements.Completion;
import io.github.rdma4j.internal.erdma.Elements.Operations;
import io.github.rdma4j.internal.erdma.Elements.SendHeader;
import io.github.rdma4j.providers.script.RandomVerbs;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;

/** What random scripts do with an elastic RDMA adapter. */
record ErdmaVerbs() implements RandomVerbs {
    /** The library lets a send queue overrun, so the scripts keep to what the provider in Java takes. */
    private static final Facts FACTS = new Facts(
            List.of("rc"),
            Elements.MOST_SEND_PIECES,
            Elements.MOST_RECEIVE_PIECES,
            1,
            Elements.MOST_INLINE,
            20,
            AfterFailure.LIBRARY_LOSES,
            EnumSet.of(Trait.FLUSHES_RECEIVES, Trait.COUNTS_IN_16_BITS));

    private static final int FLUSH = 15;
    private static final int UNKNOWN_STATUS = 21;
    private static final List<Integer> RECEIVED =
            List.of(Operations.RECEIVE, Operations.RECV_IMM, Operations.RECV_INV, Operations.RSP_SEND_IMM);

    /** The queue, the status, and the operation of a receive. */
    private record Ended(int queue, int status, int operation) implements End {}

    @Override
    public Facts facts() {
        return FACTS;
    }

    @Override
    public End receiveFlush(Random random) {
        return new Ended(Completion.RECEIVES, FLUSH, Operations.RECEIVE);
    }

    /** The header is a little-endian number; it says where the next element begins. */
    @Override
    public Sent sent(String[] words) {
        long header = Integer.toUnsignedLong(Integer.reverseBytes(Integer.parseUnsignedInt(words[4], 16)))
                | (long) Integer.reverseBytes(Integer.parseUnsignedInt(words[5], 16)) << Integer.SIZE;
        int blocks = (int) (header >>> SendHeader.BLOCKS_SHIFT & SendHeader.BLOCKS_MASK) + 1;
        int operation = (int) (header >>> SendHeader.OPERATION_SHIFT) & SendHeader.OPERATION_MASK;
        return new Sent((int) header - blocks & SendHeader.INDEX_MASK, operation);
    }

    private static int failure(Random random) {
        int status = 1 + random.nextInt(UNKNOWN_STATUS);
        return status == FLUSH ? UNKNOWN_STATUS : status;
    }

    @Override
    public End sendEnd(Random random, Outcome outcome) {
        int status = switch (outcome) {
            case SUCCESS -> 0;
            case FAILED -> failure(random);
            case FLUSHED -> FLUSH;
        };
        return new Ended(Completion.SENDS, status, 0);
    }

    @Override
    public End receiveEnd(Random random, String type, boolean failed) {
        int operation = RECEIVED.get(random.nextInt(RECEIVED.size()));
        return new Ended(Completion.RECEIVES, failed ? failure(random) : 0, operation);
    }

    @Override
    public String words(Random random, Sent of, End end) {
        Ended ended = (Ended) end;
        int operation = ended.queue() == Completion.SENDS ? of.opcode() : ended.operation();
        return operation + " " + ended.queue() + " " + of.counter() + " " + ended.status() + " "
                + random.nextInt(1 << 30) + " " + Integer.toHexString(random.nextInt());
    }
}
