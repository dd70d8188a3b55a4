// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The verbs objects of the device: a handle names one object, and what is in use is not destroyed. A handle that has become
 * free is given to the next object. What breaks these rules is remembered.
 */
final class VerbsObjects {
    private record Made(String kind, List<Integer> uses) {}

    private final Map<Integer, Made> objects = new TreeMap<>();
    private final Map<Integer, Integer> users = new HashMap<>();
    private final List<String> breaches = new ArrayList<>();

    /** Returns the handle of a new object that uses other objects, or -1 if one of the other objects does not exist. */
    int make(String kind, List<Integer> uses) {
        if (!uses.stream().allMatch(this::exists)) {
            return -1;
        }
        int handle = 1;
        while (objects.containsKey(handle)) {
            handle++;
        }
        objects.put(handle, new Made(kind, uses));
        uses.forEach(used -> users.merge(used, 1, Integer::sum));
        return handle;
    }

    boolean exists(int handle) {
        boolean known = objects.containsKey(handle);
        if (!known) {
            breaches.add("a command named the handle " + handle + " of no object");
        }
        return known;
    }

    /** False when there is no such object, or when it is in use. */
    boolean destroy(int handle) {
        if (users.getOrDefault(handle, 0) > 0) {
            breaches.add("destroying " + objects.get(handle) + ", which is in use");
            return false;
        }
        Made gone = objects.remove(handle);
        if (gone != null) {
            gone.uses().forEach(used -> users.merge(used, -1, Integer::sum));
        }
        return gone != null;
    }

    List<String> kinds() {
        return objects.values().stream().map(Made::kind).sorted().toList();
    }

    List<String> breaches() {
        return List.copyOf(breaches);
    }
}
