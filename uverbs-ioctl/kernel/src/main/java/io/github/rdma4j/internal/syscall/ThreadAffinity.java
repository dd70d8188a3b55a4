// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.syscall;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jnr.ffi.LibraryLoader;
import jnr.ffi.annotations.In;
import jnr.ffi.annotations.Out;
import jnr.ffi.types.size_t;

/** On which of the processors 0 to 63 the calling thread may run. */
public final class ThreadAffinity {
    /** The bytes of a {@code cpu_set_t}. */
    private static final int SET_BYTES = 128;

    private ThreadAffinity() {}

    /** The functions of libc, which few programs call and which are therefore bound when they are first called. */
    public interface Calls {
        int sched_setaffinity(int thread, @size_t long bytes, @In byte[] set);

        int sched_getaffinity(int thread, @size_t long bytes, @Out byte[] set);
    }

    private static final class Bound {
        /** A method of the other class: the loading thread could not enter one of this class yet. */
        static final Calls LIBC = OwnThread.call(ThreadAffinity::bind);
    }

    private static Calls bind() {
        return LibraryLoader.create(Calls.class).load("c");
    }

    /** Keeps the calling thread on the processors that have a bit in {@code mask}; changes nothing where the kernel refuses. */
    public static void set(long mask) {
        ByteBuffer set =
                ByteBuffer.allocate(SET_BYTES).order(ByteOrder.nativeOrder()).putLong(0, mask);
        Bound.LIBC.sched_setaffinity(0, SET_BYTES, set.array());
    }

    /** A bit for each processor on which the calling thread may run. */
    public static long get() {
        ByteBuffer set = ByteBuffer.allocate(SET_BYTES).order(ByteOrder.nativeOrder());
        Bound.LIBC.sched_getaffinity(0, SET_BYTES, set.array());
        return set.getLong(0);
    }
}
