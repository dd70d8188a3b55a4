// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import java.io.IOException;
import java.net.URL;
import java.security.CodeSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the classes of this jar stand in front of DiSNI's of the same names. {@code java -cp CLASS_PATH
 * io.github.rdma4j.disni.ClassPath} says what is wrong with a class path, also when DiSNI's jar is in front of all others and no other
 * code of this jar runs.
 */
public final class ClassPath {
    private static final List<String> REPLACED = List.of(
            "com.ibm.disni.verbs.impl.RdmaProviderNat",
            "com.ibm.disni.util.MemoryUtils",
            "com.ibm.disni.util.NativeAffinity");

    private ClassPath() {}

    /**
     * Looks at the classes, without initialising them.
     *
     * @throws IOException when one of them is DiSNI's own; the message names the jar to move
     */
    public static void check() throws IOException {
        for (String name : REPLACED) {
            Class<?> found = find(name);
            if (!Replacement.class.isAssignableFrom(found)) {
                throw new IOException(complaint(name, location(found), location(ClassPath.class)));
            }
        }
    }

    private static Class<?> find(String name) throws IOException {
        try {
            return Class.forName(name, false, ClassPath.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IOException(
                    "cannot load " + name + ": is the jar of DiSNI 2.1 on the class path? rdma4j-disni needs it", e);
        }
    }

    static String complaint(String name, String theirs, String ours) {
        if (theirs.equals(ours)) {
            return name + " in " + ours + " is DiSNI's own class: a tool that merges jars has taken the class of the"
                    + " wrong jar. Merge rdma4j-disni-all, without DiSNI's jar";
        }
        return name + " comes from " + theirs + ", which stands before " + ours + " on the class path: move " + theirs
                + " behind it, or use rdma4j-disni-all in the place of both";
    }

    private static String location(Class<?> type) {
        @Nullable CodeSource source = type.getProtectionDomain().getCodeSource();
        @Nullable URL location = source == null ? null : source.getLocation();
        return location == null ? "an unknown place" : location.getPath();
    }

    /** Checks the class path of the JVM; the status is 1 when it is wrong. */
    public static void main(String[] arguments) {
        try {
            check();
            System.out.println("DiSNI's programs run on rdma4j with this class path");
        } catch (IOException e) {
            System.out.println(e.getMessage());
            System.exit(1);
        }
    }
}
