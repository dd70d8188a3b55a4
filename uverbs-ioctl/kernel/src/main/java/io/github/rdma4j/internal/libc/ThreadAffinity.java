// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

import io.github.rdma4j.internal.memory.NativeMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jnr.ffi.provider.jffi.NoX86;

/** The CPU affinity of the calling thread, for processors 0 to 63. */
public final class ThreadAffinity {
    /** The size of {@code cpu_set_t}. */
    private static final int SET_BYTES = 128;

    private ThreadAffinity() {}

    /** Bound by JNR-FFI, which requires a public interface. */
    @NoX86
    public interface Functions {
        int sched_setaffinity(int thread, long bytes, long set);

        int sched_getaffinity(int thread, long bytes, long set);
    }

    /** Bound on first use, because few programs call these functions. */
    private static final class Bound {
        /**
         * A method of the outer class: the loading thread could not enter a method of this class during its
         * initialization.
         */
        static final Functions FUNCTIONS = OwnThread.call(ThreadAffinity::bind);
    }

    private static Functions bind() {
        return Binding.of(Functions.class);
    }

    private static ByteBuffer emptySet() {
        return ByteBuffer.allocateDirect(SET_BYTES).order(ByteOrder.nativeOrder());
    }

    /**
     * Restricts the calling thread to the processors in the bit mask {@code mask}; does nothing if the kernel refuses.
     */
    public static void set(long mask) {
        ByteBuffer set = emptySet().putLong(0, mask);
        try {
            Bound.FUNCTIONS.sched_setaffinity(0, SET_BYTES, NativeMemory.address(set));
        } finally {
            Reference.reachabilityFence(set);
        }
    }

    /** The bit mask of the processors on which the calling thread may run. */
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
