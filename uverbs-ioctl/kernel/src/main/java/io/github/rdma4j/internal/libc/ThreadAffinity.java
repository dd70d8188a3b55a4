// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

import io.github.rdma4j.internal.memory.NativeMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jnr.ffi.provider.jffi.NoX86;

/** On which of the processors 0 to 63 the calling thread may run. */
public final class ThreadAffinity {
    /** The bytes of a {@code cpu_set_t}. */
    private static final int SET_BYTES = 128;

    private ThreadAffinity() {}

    /** As JNR-FFI binds them; public for JNR-FFI. */
    @NoX86
    public interface Functions {
        int sched_setaffinity(int thread, long bytes, long set);

        int sched_getaffinity(int thread, long bytes, long set);
    }

    /** Few programs call these functions, which are therefore bound by the first call. */
    private static final class Bound {
        /** A method of the other class: the loading thread could not enter one of this class yet. */
        static final Functions FUNCTIONS = OwnThread.call(ThreadAffinity::bind);
    }

    private static Functions bind() {
        return Binding.of(Functions.class);
    }

    private static ByteBuffer emptySet() {
        return ByteBuffer.allocateDirect(SET_BYTES).order(ByteOrder.nativeOrder());
    }

    /** Keeps the calling thread on the processors that have a bit in {@code mask}; changes nothing where the kernel refuses. */
    public static void set(long mask) {
        ByteBuffer set = emptySet().putLong(0, mask);
        try {
            Bound.FUNCTIONS.sched_setaffinity(0, SET_BYTES, NativeMemory.address(set));
        } finally {
            Reference.reachabilityFence(set);
        }
    }

    /** A bit for each processor on which the calling thread may run. */
    public static long get() {
        ByteBuffer set = emptySet();
        try {
            Bound.FUNCTIONS.sched_getaffinity(0, SET_BYTES, NativeMemory.address(set));
            return set.getLong(0);
        } finally {
            Reference.reachabilityFence(set);
        }
    }
}
