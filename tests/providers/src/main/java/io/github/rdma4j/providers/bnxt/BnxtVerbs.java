// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.providers.script.RandomVerbs;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * What random scripts do with a device of Broadcom's.
 *
 * @param mode the device
 */
record BnxtVerbs(BnxtMode mode) implements RandomVerbs {
    private static final String ELEMENT = "  wqe ";
    private static final int FLUSHED = 11;
    private static final int GIVEN_BACK = 8;
    private static final int SIGNALED = 1 << 16;

    /** Immediate data and an RDMA write; libbnxt_re takes the version of IP for a service level. */
    private static final int FLAGS = 2 | 8;

    /** libbnxt_re reads two of the high bits only. */
    private static final int SOURCE = 0x18_ffff;

    /** The kind of an entry and its status. */
    private record Ended(int kind, int status) implements End {
        @Override
        public boolean isSilent() {
            return kind == Entry.TERMINAL || (kind != Entry.SEND && status == GIVEN_BACK);
        }
    }

    @Override
    public Facts facts() {
        int pieces = mode.isVariable() ? 13 : 6;
        return new Facts(List.of("rc", "ud"), true, pieces, pieces, 0, 96, true, false, !mode.isVariable());
    }

    /** Where few completions fit, libbnxt_re forgets how it tells the device of them when it refuses another size. */
    @Override
    public boolean resizes() {
        return !mode.equals(BnxtDriver.P4);
    }

    @Override
    public boolean forgetsAfterResize() {
        return false;
    }

    @Override
    public boolean losesSharedReceives() {
        return true;
    }

    @Override
    public boolean findsEarlierSends() {
        return true;
    }

    @Override
    public int numberBits() {
        return 20;
    }

    @Override
    public AfterFailure afterFailure() {
        return AfterFailure.PROCESS_FLUSHES;
    }

    @Override
    public @Nullable Sent sent(String line) {
        if (!line.startsWith(ELEMENT)) {
            return null;
        }
        String[] words = line.split(" ", -1);
        int header = Integer.parseUnsignedInt(words[4], 16);
        return new Sent(Integer.parseInt(words[3]), header >>> 24, (header & SIGNALED) != 0);
    }

    @Override
    public End sendEnd(Random random, Outcome outcome) {
        return new Ended(
                Entry.SEND,
                switch (outcome) {
                    case SUCCESS -> 0;
                    case FAILED -> 1 + random.nextInt(15);
                    case FLUSHED -> FLUSHED;
                });
    }

    @Override
    public End receiveEnd(Random random, String type, boolean failed) {
        int kind = type.equals("ud") ? Entry.RECEIVE_DATAGRAM : Entry.RECEIVE;
        return new Ended(kind, failed ? 1 + random.nextInt(10) : 0);
    }

    @Override
    public End termination() {
        return new Ended(Entry.TERMINAL, 0);
    }

    @Override
    public String words(Random random, Sent of, End end) {
        Ended ended = (Ended) end;
        return ended.kind() + " " + ended.status() + " " + of.counter() + " " + random.nextInt(1 << 30) + " "
                + Integer.toHexString(random.nextInt()) + " " + Integer.toHexString(random.nextInt() & FLAGS) + " "
                + Integer.toHexString(random.nextInt() & SOURCE);
    }
}
