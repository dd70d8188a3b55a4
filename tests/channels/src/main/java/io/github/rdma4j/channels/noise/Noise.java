// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.noise;

import java.util.concurrent.atomic.AtomicLong;

/** What the classes under test call at the begin of each method. */
public final class Noise {
    /** A pause lasts from one microsecond to two milliseconds; short and long ones are as frequent. */
    private static final int LEAST_BITS = 10;

    private static final int MORE_BITS = 12;
    private static final long GAMMA = 0x9e37_79b9_7f4a_7c15L;

    private static final AtomicLong STATE = new AtomicLong();
    private static volatile int oneIn;

    private Noise() {}

    /** From now on, one call in {@code oneInCalls} pauses; none if that is 0. */
    public static void set(long seed, int oneInCalls) {
        STATE.set(seed);
        oneIn = oneInCalls;
    }

    /**
     * Lets other threads run, seldom. Takes neither an interrupt nor a permit of {@link java.util.concurrent.locks.LockSupport},
     * which belong to the caller.
     */
    @SuppressWarnings("ThreadPriorityCheck") // the scheduler is what it plays
    public static void here() {
        int rate = oneIn;
        if (rate == 0) {
            return;
        }
        long drawn = mix(STATE.getAndAdd(GAMMA));
        if (Long.remainderUnsigned(drawn, rate) != 0) {
            return;
        }
        long nanos = 1L << (LEAST_BITS + Long.remainderUnsigned(drawn >>> 20, MORE_BITS));
        long start = System.nanoTime();
        do {
            Thread.yield();
        } while (System.nanoTime() - start < nanos);
    }

    private static long mix(long state) {
        long half = (state ^ (state >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
        long whole = (half ^ (half >>> 27)) * 0x94d0_49bb_1331_11ebL;
        return whole ^ (whole >>> 31);
    }
}
