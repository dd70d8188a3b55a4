// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.kernel.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An object that a handle names, and how it is given back. */
class KernelObject {
    private final String kind;
    private final List<KernelObject> used;
    private int users;

    KernelObject(String kind, List<KernelObject> used) {
        this.kind = kind;
        this.used = new ArrayList<>(used);
        used.forEach(each -> each.users++);
    }

    String kind() {
        return kind;
    }

    boolean isUsed() {
        return users > 0;
    }

    /** From now on the object uses {@code now} in place of the object that it was made with first. */
    final void useFirst(KernelObject now) {
        used.set(0, now).users--;
        now.users++;
    }

    /** Ends the object, which nobody uses. */
    final void end() {
        release();
        used.forEach(each -> each.users--);
    }

    void release() {}

    /** A protection domain. */
    static final class Pd extends KernelObject {
        private final int number;

        Pd(int number) {
            super("pd", List.of());
            this.number = number;
        }

        int number() {
            return number;
        }
    }

    /** A memory window. */
    static final class Mw extends KernelObject {
        private final Hca hca;
        private final int key;

        Mw(Hca hca, Pd pd) {
            super("mw", List.of(pd));
            this.hca = hca;
            this.key = hca.newNumber() << Byte.SIZE;
            hca.card().addWindow(key);
        }

        /** The key of the window without a binding. */
        int key() {
            return key;
        }

        @Override
        void release() {
            hca.card().removeWindow(key);
        }
    }

    /** An address handle, of which the device knows nothing. */
    static final class Ah extends KernelObject {
        Ah(Pd pd) {
            super("ah", List.of(pd));
        }
    }

    /** The objects of one context by handle. A handle that has become free is given to the next object. */
    static final class Handles {
        private final Map<Integer, KernelObject> objects = new TreeMap<>();

        int add(KernelObject object) {
            int handle = 1;
            while (objects.containsKey(handle)) {
                handle++;
            }
            objects.put(handle, object);
            return handle;
        }

        <T extends KernelObject> T get(Class<T> type, int handle) throws Refusal {
            KernelObject object = objects.get(handle);
            if (!type.isInstance(object)) {
                throw new Refusal(Errno.EINVAL);
            }
            return type.cast(object);
        }

        /** Destroys an object that nobody uses. */
        <T extends KernelObject> T destroy(Class<T> type, int handle) throws Refusal {
            T object = get(type, handle);
            Refusal.unless(!object.isUsed(), Errno.EBUSY);
            objects.remove(handle);
            object.end();
            return object;
        }

        List<String> kinds() {
            return objects.values().stream().map(KernelObject::kind).toList();
        }

        List<UarObject> uars() {
            return objects.values().stream()
                    .filter(UarObject.class::isInstance)
                    .map(UarObject.class::cast)
                    .toList();
        }

        /** Ends all objects, users before what they use. */
        void destroyAll() {
            while (!objects.isEmpty()) {
                objects.values().removeIf(object -> {
                    boolean free = !object.isUsed();
                    if (free) {
                        object.end();
                    }
                    return free;
                });
            }
        }
    }
}
