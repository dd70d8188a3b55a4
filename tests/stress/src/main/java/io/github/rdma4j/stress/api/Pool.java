// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress.api;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Objects of the API that calls have returned, by class; of each class a few. */
final class Pool {
    private static final int MOST = 12;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Class<?>, List<Object>> objects = new HashMap<>();

    /** Takes an object in; returns one that had to go, which the caller closes. */
    @Nullable
    Object put(Object object, Random random) {
        lock.lock();
        try {
            List<Object> same = objects.computeIfAbsent(object.getClass(), type -> new ArrayList<>());
            if (same.stream().anyMatch(other -> other == object)) {
                return null;
            }
            if (same.size() < MOST) {
                same.add(object);
                return null;
            }
            return same.set(random.nextInt(MOST), object);
        } finally {
            lock.unlock();
        }
    }

    /** An object of the type; null when there is none. */
    @Nullable
    Object any(Class<?> type, Random random) {
        lock.lock();
        try {
            List<Object> fitting = new ArrayList<>();
            objects.forEach((known, all) -> {
                if (type.isAssignableFrom(known)) {
                    fitting.addAll(all);
                }
            });
            return fitting.isEmpty() ? null : fitting.get(random.nextInt(fitting.size()));
        } finally {
            lock.unlock();
        }
    }

    /** Removes and returns all objects. */
    List<Object> takeAll() {
        lock.lock();
        try {
            List<Object> all = objects.values().stream().flatMap(List::stream).toList();
            objects.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }
}
