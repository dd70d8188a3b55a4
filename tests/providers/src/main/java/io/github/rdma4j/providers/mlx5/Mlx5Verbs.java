// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx5;

import io.github.rdma4j.providers.script.RandomVerbs;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * What random scripts do with a ConnectX.
 *
 * @param infiniband whether the port is one of InfiniBand
 */
record Mlx5Verbs(boolean infiniband) implements RandomVerbs {
    private static final Facts FACTS =
            new Facts(List.of("rc", "uc", "ud", "xrc"), true, 20, 8, 0, 499, true, true, true);
    private static final String ELEMENT = "  wqe ";
    private static final String FLUSHED = "5";
    private static final int SEND_FAILED = 13;
    private static final int RECEIVE_FAILED = 14;
    private static final int UNKNOWN = -1;
    private static final String[] SYNDROMES = {"1", "2", "4", "6", "10", "11", "12", "13", "14", "15", "16", "22", "99"
    };

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

    @Override
    public Facts facts() {
        return FACTS;
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
                "" + (1 + random.nextInt(0xfffff)),
                "" + (infiniband ? random.nextInt(65536) : 0),
                "" + (infiniband ? random.nextInt(128) : 0),
                Long.toHexString(random.nextLong()),
                Long.toHexString(random.nextLong()));
    }

    @Override
    public int numberBits() {
        return 24;
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
        int head = Integer.parseUnsignedInt(line.split(" ", -1)[4], 16);
        return new Sent(head >>> 8 & 0xffff, head & 0xff);
    }

    private static String syndrome(Random random) {
        return SYNDROMES[random.nextInt(SYNDROMES.length)];
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

    private static String hex(int number) {
        return Integer.toHexString(number);
    }
}
