// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.providers.script.Mode;
import io.github.rdma4j.providers.script.PlayedDriver;
import io.github.rdma4j.providers.script.RandomVerbs;
import java.util.List;

/**
 * A device of Broadcom's.
 *
 * @param name what the file of its vectors is called
 * @param chip the number of the chip
 * @param completions entries of the largest completion queue, less one
 * @param watched whether every doorbell is recorded
 */
public record BnxtMode(String name, int chip, int completions, boolean watched) implements Mode {
    private static final int P5_CHIP = 0x1750;
    private static final int P7_CHIP = 0x1760;

    @Override
    public Driver driver() {
        return new BnxtDriver();
    }

    @Override
    public List<String> arguments() {
        return watched ? List.of(name) : List.of(name, "unwatched");
    }

    /** Whether elements have different lengths. */
    boolean isVariable() {
        return name.equals("p7");
    }

    /** Whether rings have any size. */
    boolean isExact() {
        return isVariable() || chip == P5_CHIP;
    }

    /** Whether there is a table of packets, and pages of toggles. */
    boolean isP7() {
        return chip == P7_CHIP;
    }

    /** The bytes of an entry with the numbers of packets. */
    int packetBytes() {
        return chip == P5_CHIP ? 16 : 8;
    }

    /** The elements of a ring that needs {@code least}. */
    int depth(int least) {
        return isExact() ? least : powerOfTwo(least);
    }

    static int powerOfTwo(int number) {
        return number <= 1 ? 1 : Integer.highestOneBit(number - 1) << 1;
    }

    @Override
    public PlayedDriver open() {
        return new PlayedBnxt(this);
    }

    @Override
    public RandomVerbs verbs() {
        return new BnxtVerbs(this);
    }

    @Override
    public String toString() {
        return name;
    }
}
