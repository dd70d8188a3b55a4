// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Things with small numbers, which are used again. Allocates nothing once there are enough places. For one thread. */
final class Slots<T> {
    private final List<@Nullable T> places = new ArrayList<>();

    /** The next free place of each free place; -1 ends the list. */
    private int[] next = new int[16];

    private int firstFree = -1;

    /** Returns the number of {@code added}. */
    int add(T added) {
        if (firstFree < 0) {
            places.add(added);
            return places.size() - 1;
        }
        int place = firstFree;
        firstFree = next[place];
        places.set(place, added);
        return place;
    }

    void remove(int place) {
        places.set(place, null);
        if (place >= next.length) {
            next = Arrays.copyOf(next, Math.max(2 * next.length, place + 1));
        }
        next[place] = firstFree;
        firstFree = place;
    }

    /** Returns null if the place is free. */
    @Nullable
    T get(int place) {
        return places.get(place);
    }

    /** The number of places, whether free or not. */
    int places() {
        return places.size();
    }

    List<T> all() {
        return new ArrayList<>(places.stream().filter(Objects::nonNull).toList());
    }
}
