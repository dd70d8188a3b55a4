// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.irdma;

import io.github.rdma4j.internal.irdma.Elements.Header;
import io.github.rdma4j.internal.irdma.Elements.Operations;
import io.github.rdma4j.providers.script.RandomVerbs;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What random scripts do with a device of Intel's.
 *
 * @param mode the device
 */
record IrdmaVerbs(IrdmaMode mode) implements RandomVerbs {
    /** The word of a line that has the second half of the header, which is the fourth word of 64 bits. */
    private static final int HEADER = 11;

    private static final int FLUSH = 1;
    private static final int MOST_MINOR = 10;
    private static final int NO_OPERATION = 0;

    /** Opcodes of packets that complete a receive; the library of rdma-core 44 tells no other from these. */
    private static final List<Integer> RECEIVED = List.of(2, 3, 4, 5);

    /** Operations of the sender that complete a receive of generation 3: RDMA writes and sends. */
    private static final List<Integer> OPERATIONS_RECEIVED = List.of(0, 3, 4, 5, 6, 13);

    /** As {@link #FLUSH}, with the number of an event, of which most have three digits. */
    private static final int FLUSH_BY_EVENT = 0xfffe;

    private static final int MOST_EVENT = 0x720;

    /** The queue, the numbers of an error, and whether there are immediate data and an invalidated key. */
    private record Ended(boolean send, int major, int minor, boolean immediate, boolean invalidated) implements End {}

    @Override
    public Facts facts() {
        // Without a piece of a receive the library repeats the first piece of the receive that was posted last.
        // It forgets to look at the entries of shared receives when their queue pair goes.
        Set<Trait> traits = EnumSet.of(Trait.RECEIVES_NEED_A_PIECE, Trait.LOSES_SHARED_RECEIVES);
        traits.addAll(mode.isThird() ? Set.of(Trait.SHARED, Trait.FLUSHES_RECEIVES) : Set.of(Trait.FLUSHES_AT_ONCE));
        traits.addAll(mode.isNewer() ? Set.of(Trait.LOSES_FAILED_SENDS) : Set.of());
        traits.addAll(mode.isIwarp() ? Set.of() : Set.of(Trait.RESIZES));
        return new Facts(
                mode.isIwarp() ? List.of("rc") : List.of("rc", "ud"),
                mode.pieces(),
                mode.pieces(),
                mode.hasNewFormat() ? 0 : 1,
                mode.inline(),
                18,
                AfterFailure.LIBRARY_LOSES,
                traits);
    }

    @Override
    public List<String> operations(String type) {
        if (type.equals("ud")) {
            return RandomVerbs.super.operations(type);
        }
        if (!mode.hasNewFormat()) {
            return List.of("send", "write", "read", "send_inv", "local_inv", "bind");
        }
        if (mode.isThird()) {
            return List.of(
                    "send",
                    "send_imm",
                    "write",
                    "write_imm",
                    "read",
                    "cas",
                    "fadd",
                    "send_inv",
                    "local_inv",
                    "bind",
                    "bind2");
        }
        return mode.isIwarp()
                ? List.of("send", "write", "write_imm", "read", "send_inv", "local_inv", "bind")
                : List.of("send", "send_imm", "write", "write_imm", "read", "send_inv", "local_inv", "bind");
    }

    @Override
    public int otherCapacity(int drawn, int present) {
        if (!mode.isThird()) {
            return RandomVerbs.super.otherCapacity(drawn, present);
        }
        // Of an even number of entries, at least four, one stays empty.
        int capacity = Math.max(3, drawn | 1);
        return capacity == present ? capacity + 1 : drawn;
    }

    @Override
    public @Nullable Sent sent(String[] words) {
        int high = Integer.reverseBytes(Integer.parseUnsignedInt(words[HEADER], 16));
        int operation = high >>> (Header.OPERATION_SHIFT - Integer.SIZE) & Header.OPERATION_MASK;
        return operation == Operations.NOP ? null : new Sent(Integer.parseInt(words[3]), operation);
    }

    /** Flushes come by themselves. */
    private static int failure(Random random) {
        return FLUSH + 1 + random.nextInt(0xd000);
    }

    @Override
    public End sendEnd(Random random, Outcome outcome) {
        return switch (outcome) {
            case SUCCESS -> new Ended(true, 0, 0, false, false);
            case FAILED -> new Ended(true, failure(random), random.nextInt(1 << 16), false, false);
            case FLUSHED -> flush(random, true);
        };
    }

    private Ended flush(Random random, boolean sent) {
        return mode.isThird() && random.nextInt(4) == 0
                ? new Ended(sent, FLUSH_BY_EVENT, random.nextInt(MOST_EVENT), false, false)
                : new Ended(
                        sent,
                        FLUSH,
                        mode.isThird() ? random.nextInt(16) : 1 + random.nextInt(MOST_MINOR),
                        false,
                        false);
    }

    @Override
    public End receiveEnd(Random random, String type, boolean failed) {
        if (failed) {
            return new Ended(false, failure(random), random.nextInt(1 << 16), false, false);
        }
        boolean immediate = mode.hasNewFormat() && random.nextInt(3) == 0;
        return new Ended(false, 0, 0, immediate, !immediate && random.nextInt(4) == 0);
    }

    @Override
    public End receiveFlush(Random random) {
        return flush(random, false);
    }

    /** Those that fail may be flushed as well. */
    @Override
    public End sharedEnd(Random random, End end) {
        return ((Ended) end).major() != 0 && random.nextBoolean() ? flush(random, false) : end;
    }

    private int received(Random random, boolean immediate) {
        if (mode.isThird()) {
            return OPERATIONS_RECEIVED.get(random.nextInt(OPERATIONS_RECEIVED.size()));
        }
        return immediate ? RECEIVED.get(random.nextInt(RECEIVED.size())) : NO_OPERATION;
    }

    @Override
    public String words(Random random, Sent of, End end) {
        Ended ended = (Ended) end;
        int operation = ended.send() ? of.opcode() : received(random, ended.immediate());
        return String.join(
                " ",
                "" + operation,
                ended.send() ? "1" : "0",
                "" + of.counter(),
                "" + ended.major(),
                "" + ended.minor(),
                "" + random.nextInt(1 << 30),
                ended.immediate() ? Integer.toHexString(random.nextInt()) : "-",
                Integer.toHexString(random.nextInt(1 << 24)),
                ended.invalidated() ? "1" : "0");
    }
}
