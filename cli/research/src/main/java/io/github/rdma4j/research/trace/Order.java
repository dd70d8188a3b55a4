// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Sorts what happened by time, but never an effect before its cause, nor what one node or the wire did in another order
 * than it has told. Where a clock says otherwise, the later one is shown at the time of the earlier one.
 */
final class Order {
    private final List<Item> items = new ArrayList<>();
    private final IdentityHashMap<Object, Item> byElement = new IdentityHashMap<>();
    private final Map<String, Item> lastOfPlace = new HashMap<>();

    private static final class Item {
        private final Object element;
        private final List<Item> later = new ArrayList<>();
        private int earlier;
        private long time;

        Item(Object element, long time) {
            this.element = element;
            this.time = time;
        }

        void precedes(Item next) {
            later.add(next);
            next.earlier++;
        }
    }

    /** Adds what happened at a place after all that was added for the place before. */
    void add(Object element, String place, long time) {
        Item item = new Item(element, time);
        items.add(item);
        byElement.put(element, item);
        Item before = lastOfPlace.put(place, item);
        if (before != null) {
            before.precedes(item);
        }
    }

    /** Tells that one comes before the other. */
    void precedes(Object cause, Object effect) {
        Item first = byElement.get(cause);
        Item second = byElement.get(effect);
        if (first != null && second != null) {
            first.precedes(second);
        }
    }

    /** All that was added. */
    List<Object> elements() {
        return items.stream().map(item -> item.element).toList();
    }

    /** The time at which an element is shown. */
    long time(Object element) {
        Item item = byElement.get(element);
        return item == null ? 0 : item.time;
    }

    /** All in their order. */
    List<Object> sorted() {
        PriorityQueue<Item> ready = new PriorityQueue<>(Comparator.comparingLong(item -> item.time));
        items.stream().filter(item -> item.earlier == 0).forEach(ready::add);
        List<Object> sorted = new ArrayList<>();
        for (Item item = ready.poll(); item != null; item = ready.poll()) {
            sorted.add(item.element);
            release(item, ready);
        }
        if (sorted.size() < items.size()) {
            throw new IllegalStateException("causes in a circle");
        }
        return Collections.unmodifiableList(sorted);
    }

    private static void release(Item done, PriorityQueue<Item> ready) {
        for (Item next : done.later) {
            next.time = Math.max(next.time, done.time);
            if (--next.earlier == 0) {
                ready.add(next);
            }
        }
    }
}
