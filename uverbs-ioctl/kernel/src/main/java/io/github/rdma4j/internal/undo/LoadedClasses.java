// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.undo;

/** Classes that are there before they are needed. */
public final class LoadedClasses {
    private LoadedClasses() {}

    /**
     * Loads and initializes the classes that the caller's handling of failures needs. A thread that serves many calls
     * this method before it begins: a process without free descriptors cannot load a class, and a class whose
     * initialization fails is missing for ever.
     */
    public static void prepare(Class<?>... named) {
        for (Class<?> each : named) {
            try {
                Class.forName(each.getName(), true, each.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new LinkageError("the loader of " + each + " does not find the class", e);
            }
        }
    }
}
