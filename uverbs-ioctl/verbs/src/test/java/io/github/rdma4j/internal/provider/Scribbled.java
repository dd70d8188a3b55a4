// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Memory of a ring that holds whatever a generator has written there, and what of it the library changed afterwards. */
public final class Scribbled {
    private final ByteBuffer memory;
    private final byte[] before;

    private Scribbled(ByteBuffer memory) {
        this.memory = memory;
        this.before = new byte[memory.capacity()];
        memory.get(0, before);
    }

    /** Fills all of {@code memory}. Small numbers are frequent, because indexes and flags are small. */
    public static Scribbled over(ByteBuffer memory, Random random) {
        for (int at = 0; at + Integer.BYTES <= memory.capacity(); at += Integer.BYTES) {
            memory.putInt(at, random.nextBoolean() ? random.nextInt() : random.nextInt(16));
        }
        return new Scribbled(memory);
    }

    /** Takes what is there now for what was there before. */
    public static Scribbled asItIs(ByteBuffer memory) {
        return new Scribbled(memory);
    }

    /**
     * The first byte that has changed and lies neither in {@code length} bytes from {@code from} nor in the word at {@code
     * word}; empty if none has.
     */
    public List<Integer> changedBeside(int from, int length, int word) {
        byte[] now = new byte[before.length];
        memory.get(0, now);
        for (int at = Math.max(from, 0); at < Math.min(from + length, now.length); at++) {
            now[at] = before[at];
        }
        for (int at = Math.max(word, 0); at < Math.min(word + Integer.BYTES, now.length); at++) {
            now[at] = before[at];
        }
        int changed = Arrays.mismatch(before, now);
        return changed < 0 ? List.of() : List.of(changed);
    }
}
