// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The verbs objects of a device. A handle names one object, and an object in use is not destroyed. A new object gets
 * the lowest free handle. The table records each breach of these rules. Guarded by the kernel's lock.
 */
public class VerbsObjects {
    private record Made(String kind, List<Integer> uses) {}

    private final Map<Integer, Made> objects = new TreeMap<>();
    private final Map<Integer, Integer> users = new HashMap<>();
    private final List<String> breaches = new ArrayList<>();

    public VerbsObjects() {}

    /**
     * Begins a command, which uses the objects until {@link #leave}. Returns false if one of the objects does not
     * exist.
     */
    public boolean enter(int command, List<Integer> used) {
        for (int handle : used) {
            if (!objects.containsKey(handle)) {
                breaches.add("command " + command + " with the handle " + handle + " of no object");
                return false;
            }
        }
        used.forEach(handle -> users.merge(handle, 1, Integer::sum));
        return true;
    }

    public void leave(List<Integer> used) {
        used.forEach(handle -> users.merge(handle, -1, Integer::sum));
    }

    /** Creates an object, which uses other objects until it is destroyed; returns its handle. */
    public int make(String kind, List<Integer> uses) {
        int handle = 1;
        while (objects.containsKey(handle)) {
            handle++;
        }
        objects.put(handle, new Made(kind, uses));
        uses.forEach(used -> users.merge(used, 1, Integer::sum));
        return handle;
    }

    /** Returns false if the object does not exist or is in use. */
    public boolean destroy(int command, int handle) {
        Made object = objects.get(handle);
        int inUse = users.getOrDefault(handle, 0);
        if (object == null || inUse > 0) {
            breaches.add("command " + command + " destroys " + handle + ", " + object + " with " + inUse + " users");
            return false;
        }
        objects.remove(handle);
        leave(object.uses());
        return true;
    }

    /** Records the breach of another rule. */
    public final void breach(String what) {
        breaches.add(what);
    }

    /** The sorted kinds of the existing objects: {@code pd}, {@code cq}, {@code qp} and so on. */
    public final List<String> kinds() {
        return objects.values().stream().map(Made::kind).sorted().toList();
    }

    public final List<String> breaches() {
        return List.copyOf(breaches);
    }
}
