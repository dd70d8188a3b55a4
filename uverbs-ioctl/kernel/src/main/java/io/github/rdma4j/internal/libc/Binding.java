// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;

/** Binds functions by JNR-FFI. */
public final class Binding {
    /**
     * System property that names a library whose functions take precedence over libc: a path, or a name without {@code
     * lib} and {@code .so}. For example, {@code umad2sim} of the InfiniBand simulator implements open, read, write,
     * ioctl, poll and close for the umad files of its fabric. By default, the libraries already loaded by the process.
     */
    public static final String LIBRARY_PROPERTY = "io.github.rdma4j.libc";

    private static final Runtime RUNTIME = Runtime.getSystemRuntime();

    private Binding() {}

    /** Binds the functions that the methods of {@code functions} name. */
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
