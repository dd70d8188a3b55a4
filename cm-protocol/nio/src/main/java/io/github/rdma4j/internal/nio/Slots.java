// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The keys that an epoll watches, by small numbers. A number goes to another key later: with it goes its generation, so that an event
 * that was reported before the key was dropped is not taken for one of the next key.
 */
final class Slots {
    private static final int FIRST = 16;

    private @Nullable StreamKey[] keys = new StreamKey[FIRST];
    private int[] generations = new int[FIRST];
    private int[] free = new int[FIRST];
    private int used;
    private int freeCount;

    /** Gives the key a slot. */
    void add(StreamKey key) {
        int slot = freeCount > 0 ? free[--freeCount] : used++;
        if (slot == keys.length) {
            keys = Arrays.copyOf(keys, 2 * slot);
            generations = Arrays.copyOf(generations, 2 * slot);
            free = Arrays.copyOf(free, 2 * slot);
        }
        keys[slot] = key;
        key.setSlot(slot);
    }

    void remove(StreamKey key) {
        int slot = key.slot();
        keys[slot] = null;
        generations[slot]++;
        free[freeCount++] = slot;
        key.setSlot(StreamKey.NOWHERE);
    }

    /** What epoll is to give back with the key's events: the slot in the low half, the generation in the high half. */
    long data(StreamKey key) {
        return (long) generations[key.slot()] << Integer.SIZE | key.slot();
    }

    /** The key of {@code data}, or null if it has been dropped. */
    @Nullable
    StreamKey key(long data) {
        int slot = (int) data;
        return generations[slot] == (int) (data >> Integer.SIZE) ? keys[slot] : null;
    }
}
