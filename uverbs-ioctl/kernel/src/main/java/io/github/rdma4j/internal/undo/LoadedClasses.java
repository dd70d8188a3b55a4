// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.undo;

/** Loads classes before they are needed. */
public final class LoadedClasses {
    private LoadedClasses() {}

    /**
     * Loads and initializes the classes for the caller's failure handling. A thread that serves many connections calls
     * this method at its start: a process without free descriptors cannot load a class, and a class whose
     * initialization fails is unusable for ever.
     */
    public static void prepare(Class<?>... named) {
        for (Class<?> each : named) {
            try {
                Class.forName(each.getName(), true, each.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new LinkageError("the loader of " + each + " cannot find the class", e);
            }
        }
    }
}
