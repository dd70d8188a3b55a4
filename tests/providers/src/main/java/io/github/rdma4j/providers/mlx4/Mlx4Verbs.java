// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx4;

import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.providers.script.RandomVerbs;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What random scripts do with a ConnectX-3.
 *
 * @param infiniband whether the port is one of InfiniBand
 */
record Mlx4Verbs(boolean infiniband) implements RandomVerbs {
    /** With these limits elements have 512 bytes at most: libmlx4 does not take all that it grants in longer ones. */
    private static final Facts FACTS =
            new Facts(List.of("rc", "uc", "ud", "xrc"), true, 20, 8, 0, 400, true, true, true);

    private static final String ELEMENT = "  wqe ";
    private static final String FLUSHED = "5";
    private static final int SUCCEEDED = -1;
    private static final String[] SYNDROMES = {"1", "2", "4", "6", "10", "11", "12", "13", "14", "15", "16", "22", "99"
    };

    /** The opcode of the completion, or {@link #SUCCEEDED} for that of the element, and the syndrome of a failure. */
    private record Ended(boolean send, int opcode, String syndrome) implements End {}

    @Override
    public Facts facts() {
        return FACTS;
    }

    @Override
    public List<String> operations(String type) {
        List<String> more = switch (type) {
            case "rc", "xrc" -> List.of("send_inv", "local_inv", "bind", "bind2");
            case "uc" -> List.of("bind", "bind2");
            default -> List.of();
        };
        return Stream.concat(RandomVerbs.super.operations(type).stream(), more.stream())
                .toList();
    }

    @Override
    public boolean resizes() {
        return true;
    }

    /** The format cannot say that a piece of a receive is empty: the provider leaves such pieces out. */
    @Override
    public int fewestReceiveBytes() {
        return 1;
    }

    @Override
    public String address(Random random) {
        return String.join(
                " ",
                "" + random.nextInt(infiniband ? 16 : 8),
                "" + random.nextInt(23),
                !infiniband || random.nextBoolean() ? "1" : "0",
                "" + random.nextInt(4),
                "" + random.nextInt(256),
                "" + random.nextInt(256),
                "" + random.nextInt(1 << 20),
                "" + (infiniband ? random.nextInt(65536) : 0),
                "" + (infiniband ? random.nextInt(128) : 0),
                Long.toHexString(random.nextLong()),
                Long.toHexString(random.nextLong()));
    }

    @Override
    public int numberBits() {
        return 23;
    }

    @Override
    public boolean countsIn16Bits() {
        return true;
    }

    @Override
    public @Nullable Sent sent(String line) {
        if (!line.startsWith(ELEMENT)) {
            return null;
        }
        String[] words = line.split(" ", -1);
        return new Sent(Integer.parseInt(words[3]), Integer.parseUnsignedInt(words[4], 16) & 0x1f);
    }

    private static String syndrome(Random random) {
        return SYNDROMES[random.nextInt(SYNDROMES.length)];
    }

    @Override
    public End sendEnd(Random random, Outcome outcome) {
        return switch (outcome) {
            case SUCCESS -> new Ended(true, SUCCEEDED, "0");
            case FAILED -> new Ended(true, CqeCodes.MLX4_CQE_OPCODE_ERROR, syndrome(random));
            case FLUSHED -> new Ended(true, CqeCodes.MLX4_CQE_OPCODE_ERROR, FLUSHED);
        };
    }

    @Override
    public End receiveEnd(Random random, String type, boolean failed) {
        if (failed) {
            return new Ended(false, CqeCodes.MLX4_CQE_OPCODE_ERROR, syndrome(random));
        }
        return new Ended(false, type.equals("ud") ? 1 + random.nextInt(2) : random.nextInt(4), "0");
    }

    @Override
    public String words(Random random, Sent of, End end) {
        Ended ended = (Ended) end;
        int opcode = ended.opcode() == SUCCEEDED ? of.opcode() : ended.opcode();
        return hex(opcode) + " " + of.counter() + " " + (ended.send() ? 1 : 0)
                + " " + random.nextInt(1 << 30) + " " + hex(random.nextInt()) + " " + hex(random.nextInt())
                + " " + ended.syndrome() + " " + hex(random.nextInt(256)) + " "
                + hex(random.nextInt(1 << 16)) + " " + hex(random.nextInt(1 << 16));
    }

    @Override
    public String xrcWords(Random random, int entry, End end) {
        Ended ended = (Ended) end;
        return hex(random.nextInt(1 << 23)) + " " + hex(ended.opcode()) + " " + entry + " " + random.nextInt(1 << 30)
                + " " + hex(random.nextInt()) + " " + ended.syndrome() + " " + hex(random.nextInt(256));
    }

    private static String hex(int number) {
        return Integer.toHexString(number);
    }
}
