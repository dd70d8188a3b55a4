// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.syscall;

import io.github.rdma4j.internal.memory.NativeMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** On which of the processors 0 to 63 the calling thread may run. */
public final class ThreadAffinity {
    /** The bytes of a {@code cpu_set_t}. */
    private static final int SET_BYTES = 128;

    private ThreadAffinity() {}

    /** The functions of libc, which few programs call and which are therefore bound when they are first called. */
    private static final class Bound {
        /** A method of the other class: the loading thread could not enter one of this class yet. */
        static final Libc LIBC = OwnThread.call(ThreadAffinity::bind);

        static final long SET = LIBC.function("sched_setaffinity");
        static final long GET = LIBC.function("sched_getaffinity");
    }

    private static Libc bind() {
        return new Libc(Libc.DEFAULT);
    }

    private static ByteBuffer emptySet() {
        return ByteBuffer.allocateDirect(SET_BYTES).order(ByteOrder.nativeOrder());
    }

    /** Keeps the calling thread on the processors that have a bit in {@code mask}; changes nothing where the kernel refuses. */
    public static void set(long mask) {
        call(Bound.SET, emptySet().putLong(0, mask));
    }

    /** A bit for each processor on which the calling thread may run. */
    public static long get() {
        ByteBuffer set = emptySet();
        call(Bound.GET, set);
        return set.getLong(0);
    }

    private static void call(long function, ByteBuffer set) {
        try {
            Bound.LIBC.call(function, 0, SET_BYTES, NativeMemory.address(set));
        } finally {
            Reference.reachabilityFence(set);
        }
    }
}
