// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx4;

import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.providers.script.ConnectxVerbs;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** What random scripts do with a ConnectX-3. */
final class Mlx4Verbs extends ConnectxVerbs {
    /** With these limits elements have 512 bytes at most: libmlx4 does not take all that it grants in longer ones. */
    private static final Facts FACTS = new Facts(
            List.of("rc", "uc", "ud", "xrc"),
            20,
            8,
            0,
            400,
            23,
            AfterFailure.DEVICE_FLUSHES,
            // The format cannot say that a piece of a receive is empty: the provider leaves such pieces out.
            EnumSet.of(
                    Trait.SHARED,
                    Trait.RESETS,
                    Trait.SWEEPS,
                    Trait.FILLS_UP,
                    Trait.RESIZES,
                    Trait.FORGETS_AFTER_RESIZE,
                    Trait.COUNTS_IN_16_BITS,
                    Trait.RECEIVES_NEED_BYTES));

    private static final int SUCCEEDED = -1;

    /** The opcode of the completion, or {@link #SUCCEEDED} for that of the element, and the syndrome of a failure. */
    private record Ended(boolean send, int opcode, String syndrome) implements End {}

    Mlx4Verbs(boolean infiniband) {
        super(FACTS, infiniband, 0);
    }

    @Override
    public List<String> operations(String type) {
        List<String> more = switch (type) {
            case "rc", "xrc" -> List.of("send_inv", "local_inv", "bind", "bind2");
            case "uc" -> List.of("bind", "bind2");
            default -> List.of();
        };
        return Stream.concat(super.operations(type).stream(), more.stream()).toList();
    }

    @Override
    public Sent sent(String[] words) {
        return new Sent(Integer.parseInt(words[3]), Integer.parseUnsignedInt(words[4], 16) & 0x1f);
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
}
