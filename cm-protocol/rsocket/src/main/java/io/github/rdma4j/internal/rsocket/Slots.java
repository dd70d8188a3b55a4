// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Things that an epoll watches, by small numbers, which are used again. With a number goes its generation, so that an event that was
 * reported before a thing was removed is not taken for one of the next thing. Allocates nothing once there are enough places. For one
 * thread.
 *
 * @param <T> the things
 */
public final class Slots<T> {
    private @Nullable Object[] things = new Object[16];
    private int[] generations = new int[things.length];
    private int[] free = new int[things.length];
    private int used;
    private int freeCount;

    /** Returns the number of {@code added}. */
    public int add(T added) {
        int slot = freeCount > 0 ? free[--freeCount] : used++;
        if (slot == things.length) {
            things = Arrays.copyOf(things, 2 * slot);
            generations = Arrays.copyOf(generations, 2 * slot);
            free = Arrays.copyOf(free, 2 * slot);
        }
        things[slot] = added;
        return slot;
    }

    /** Frees a number. */
    public void remove(int slot) {
        things[slot] = null;
        generations[slot]++;
        free[freeCount++] = slot;
    }

    /** What epoll is to give back with events: the number in the low half, its generation in the high half. */
    public long data(int slot) {
        return (long) generations[slot] << Integer.SIZE | slot;
    }

    /** The thing of {@code data}, or null if it was removed. */
    @SuppressWarnings("unchecked") // only things are put in
    public @Nullable T get(long data) {
        int slot = (int) data;
        return generations[slot] == (int) (data >> Integer.SIZE) ? (T) things[slot] : null;
    }

    /** The number of places, whether free or not. */
    public int places() {
        return used;
    }

    /** All that are there. */
    @SuppressWarnings("unchecked") // only things are put in
    public List<T> all() {
        return (List<T>) Arrays.stream(things).filter(Objects::nonNull).toList();
    }
}
