// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.irdma;

import io.github.rdma4j.internal.irdma.Elements.Header;
import io.github.rdma4j.internal.irdma.Elements.Operations;
import io.github.rdma4j.lab.providers.script.RandomVerbs;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * What random scripts do with a device of Intel's.
 *
 * @param mode the device
 */
record IrdmaVerbs(IrdmaMode mode) implements RandomVerbs {
    private static final String ELEMENT = "  wqe ";
    private static final int HEADER_WORDS = 9;
    private static final int FLUSH = 1;
    private static final int MOST_MINOR = 10;
    private static final int NO_OPERATION = 0;

    /** Opcodes of packets that complete a receive; the library tells no other from these. */
    private static final List<Integer> RECEIVED = List.of(2, 3, 4, 5);

    /** The queue, the numbers of an error, and whether there are immediate data and an invalidated key. */
    private record Ended(boolean send, int major, int minor, boolean immediate, boolean invalidated) implements End {
        @Override
        public boolean isPageFault() {
            return false;
        }
    }

    @Override
    public Facts facts() {
        boolean newer = mode.hasNewFormat();
        return new Facts(
                mode.isIwarp() ? List.of("rc") : List.of("rc", "ud"),
                false,
                newer ? 13 : 3,
                newer ? 13 : 3,
                newer ? 0 : 1,
                newer ? 101 : 48,
                false,
                false,
                false);
    }

    @Override
    public List<String> operations(String type) {
        if (type.equals("ud")) {
            return RandomVerbs.super.operations(type);
        }
        if (!mode.hasNewFormat()) {
            return List.of("send", "write", "read", "send_inv", "local_inv", "bind");
        }
        return mode.isIwarp()
                ? List.of("send", "write", "write_imm", "read", "send_inv", "local_inv", "bind")
                : List.of("send", "send_imm", "write", "write_imm", "read", "send_inv", "local_inv", "bind");
    }

    /** Without a piece the library repeats the first piece of the receive that was posted last. */
    @Override
    public int fewestReceiveSge() {
        return 1;
    }

    @Override
    public boolean flushesAtOnce() {
        return true;
    }

    @Override
    public boolean resizes() {
        return !mode.isIwarp();
    }

    @Override
    public boolean forgetsAfterResize() {
        return false;
    }

    @Override
    public String address(Random random) {
        return String.join(
                " ",
                "" + random.nextInt(8),
                "0",
                "1",
                "" + random.nextInt(4),
                "" + random.nextInt(256),
                "" + random.nextInt(256),
                "" + random.nextInt(1 << 20),
                "0",
                "0",
                Long.toHexString(random.nextLong()),
                Long.toHexString(random.nextLong()));
    }

    /** The header is the fourth word of 64 bits. */
    @Override
    public @Nullable Sent sent(String line) {
        if (!line.startsWith(ELEMENT)) {
            return null;
        }
        String[] words = line.split(" ", -1);
        // After two empty words come "wqe", the quantum, and the bytes in groups of four.
        int first = words.length - line.substring(ELEMENT.length()).split(" ", -1).length;
        int high = Integer.reverseBytes(Integer.parseUnsignedInt(words[first + 1 + HEADER_WORDS - 2], 16));
        int operation = high >>> (Header.OPERATION_SHIFT - Integer.SIZE) & Header.OPERATION_MASK;
        return operation == Operations.NOP ? null : new Sent(Integer.parseInt(words[first]), operation);
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
            case FLUSHED -> new Ended(true, FLUSH, 1 + random.nextInt(MOST_MINOR), false, false);
        };
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
        return new Ended(false, FLUSH, 1 + random.nextInt(MOST_MINOR), false, false);
    }

    @Override
    public String words(Random random, Sent of, End end) {
        Ended ended = (Ended) end;
        int operation = ended.send()
                ? of.opcode()
                : ended.immediate() ? RECEIVED.get(random.nextInt(RECEIVED.size())) : NO_OPERATION;
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
