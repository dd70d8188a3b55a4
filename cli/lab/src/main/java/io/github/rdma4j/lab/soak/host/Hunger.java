// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.host;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Takes all memory of a kind for a while. */
final class Hunger {
    private static final int FIRST_BITE = 1 << 20;
    private static final int LAST_BITE = 1 << 8;

    private Hunger() {}

    static void heap(long millis) throws InterruptedException {
        take(byte[]::new, millis);
    }

    static void direct(long millis) throws InterruptedException {
        take(ByteBuffer::allocateDirect, millis);
    }

    private static void take(IntFunction<Object> allocator, long millis) throws InterruptedException {
        List<Object> taken = new ArrayList<>(1 << 16);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (int bite = FIRST_BITE; bite >= LAST_BITE && System.nanoTime() < end; bite /= 16) {
            try {
                while (System.nanoTime() < end && taken.size() < 1 << 16) {
                    taken.add(allocator.apply(bite));
                }
            } catch (OutOfMemoryError full) {
                // The next smaller one may still fit.
            }
        }
        long left = end - System.nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
        taken.clear();
    }
}
