// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;

/** Binds functions by JNR-FFI. */
public final class Binding {
    /**
     * Names the library that the functions are taken from; those that the process has loaded already unless the property is
     * set. Another library, a path or a name without {@code lib} and {@code .so}, stands in front of libc: the InfiniBand
     * simulator's {@code umad2sim} for example, which has open, read, write, ioctl, poll and close of its own for the umad
     * files of its fabric.
     */
    public static final String LIBRARY_PROPERTY = "io.github.rdma4j.libc";

    private static final Runtime RUNTIME = Runtime.getSystemRuntime();

    private Binding() {}

    /** The functions that the methods of {@code functions} are named after. */
    static <F> F of(Class<F> functions) {
        return LibraryLoader.create(functions)
                .map("writeQuietly", "write")
                .load(System.getProperty(LIBRARY_PROPERTY, LibraryLoader.DEFAULT_LIBRARY));
    }

    /** The result of a function that returns an {@code int}, or minus the error number. */
    static int result(int returned) {
        return returned < 0 ? -RUNTIME.getLastError() : returned;
    }

    /** The result of a function that returns a {@code long}, or minus the error number. */
    static long result(long returned) {
        return returned < 0 ? -RUNTIME.getLastError() : returned;
    }
}
