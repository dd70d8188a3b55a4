// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.providers.script.RandomVerbs;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * What random scripts do with a device of Broadcom's.
 *
 * @param mode the device
 */
record BnxtVerbs(BnxtMode mode) implements RandomVerbs {
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
        Set<Trait> traits = EnumSet.of(
                Trait.SHARED, Trait.RESETS, Trait.LOSES_SHARED_RECEIVES, Trait.FINDS_EARLIER_SENDS, Trait.RESIZES);
        if (!mode.isVariable()) {
            traits.add(Trait.FILLS_UP);
        }
        // Where few completions fit, libbnxt_re forgets how it tells the device of them when it refuses another size.
        if (mode.equals(BnxtMode.P4)) {
            traits.remove(Trait.RESIZES);
        }
        return new Facts(
                List.of("rc", "ud"), mode.pieces(), mode.pieces(), 0, 96, 20, AfterFailure.PROCESS_FLUSHES, traits);
    }

    @Override
    public Sent sent(String[] words) {
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
