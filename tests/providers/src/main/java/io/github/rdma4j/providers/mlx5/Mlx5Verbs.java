// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx5;

import io.github.rdma4j.providers.script.ConnectxVerbs;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;

/** What random scripts do with a ConnectX. */
final class Mlx5Verbs extends ConnectxVerbs {
    private static final Facts FACTS = new Facts(
            List.of("rc", "uc", "ud", "xrc"),
            20,
            8,
            0,
            499,
            24,
            AfterFailure.DEVICE_FLUSHES,
            EnumSet.of(Trait.SHARED, Trait.RESETS, Trait.SWEEPS, Trait.FILLS_UP, Trait.COUNTS_IN_16_BITS));

    private static final int SEND_FAILED = 13;
    private static final int RECEIVE_FAILED = 14;
    private static final int UNKNOWN = -1;

    /** How the device ends a receive of a shared queue whose page it does not find. */
    private static final Ended PAGE_FAULT = new Ended(RECEIVE_FAILED, "22", 0x93);

    /** The opcode of the completion, and the two syndromes of a failure; the vendor's may still be unknown. */
    private record Ended(int opcode, String syndrome, int vendor) implements End {
        @Override
        public boolean isPageFault() {
            return equals(PAGE_FAULT);
        }

        int vendor(Random random) {
            return vendor == UNKNOWN ? random.nextInt(256) : vendor;
        }
    }

    Mlx5Verbs(boolean infiniband) {
        super(FACTS, infiniband, 1);
    }

    @Override
    public Sent sent(String[] words) {
        int head = Integer.parseUnsignedInt(words[4], 16);
        return new Sent(head >>> 8 & 0xffff, head & 0xff);
    }

    @Override
    public End sendEnd(Random random, Outcome outcome) {
        return switch (outcome) {
            case SUCCESS -> new Ended(0, "0", UNKNOWN);
            case FAILED -> new Ended(SEND_FAILED, syndrome(random), UNKNOWN);
            case FLUSHED -> new Ended(SEND_FAILED, FLUSHED, UNKNOWN);
        };
    }

    @Override
    public End receiveEnd(Random random, String type, boolean failed) {
        int opcode = failed ? RECEIVE_FAILED : type.equals("ud") ? 2 + random.nextInt(2) : 1 + random.nextInt(4);
        return new Ended(opcode, failed ? syndrome(random) : "0", random.nextInt(256));
    }

    @Override
    public End sharedEnd(Random random, End end) {
        return random.nextInt(4) == 0 ? PAGE_FAULT : end;
    }

    @Override
    public String words(Random random, Sent of, End end) {
        Ended ended = (Ended) end;
        int vendor = ended.vendor(random);
        return ended.opcode() + " " + of.counter() + " " + hex(of.opcode())
                + " " + random.nextInt(1 << 30) + " " + hex(random.nextInt()) + " "
                + hex(random.nextInt() & 0x3fffffff) + " " + ended.syndrome() + " " + hex(vendor) + " "
                + hex(random.nextInt(1 << 16)) + " " + hex(random.nextInt(1 << 8));
    }

    @Override
    public String xrcWords(Random random, int entry, End end) {
        Ended ended = (Ended) end;
        return hex(0x8000 + random.nextInt(99)) + " " + ended.opcode() + " " + entry + " " + random.nextInt(1 << 30)
                + " " + hex(random.nextInt()) + " " + ended.syndrome() + " " + hex(ended.vendor());
    }
}
