// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.RegistrationCache;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;

/** Races of two threads at the cache of registered buffers. */
public final class CacheStress {
    private CacheStress() {}

    /**
     * A thread uses the region of a buffer while another closes the cache. The numbers tell whether the region was open
     * while it was used, and how many bytes are registered in the end.
     */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "-1, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "an open region, or refused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a region was closed while it was used, or is left")
    @State
    public static class CachedRegionMeetsClose {
        private static final ByteBuffer BUFFER = ByteBuffer.allocateDirect(64);

        private final RegistrationCache cache = Device.cache();

        private int use() {
            try {
                MemoryRegion region = cache.acquire(BUFFER);
                int open = region.isClosed() ? 0 : 1;
                cache.release(region);
                return open;
            } catch (IllegalStateException closed) {
                return -1;
            } catch (RdmaException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Actor
        public void user(IJ_Result result) {
            result.r1 = use();
        }

        @Actor
        public void closer() {
            Device.close(cache);
        }

        @Arbiter
        public void end(IJ_Result result) {
            result.r2 = cache.registeredBytes();
        }
    }

    /**
     * Two threads acquire the region of one buffer. The numbers are 1 for the same region, and the bytes that are
     * registered.
     */
    @JCStressTest
    @Outcome(
            id = "1, 0",
            expect = Expect.ACCEPTABLE,
            desc = "one region, which is gone after the last release and the close")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the buffer was registered twice, or a use was not counted")
    @State
    public static class RegionIsAcquiredTwice {
        private static final ByteBuffer BUFFER = ByteBuffer.allocateDirect(64);

        private final RegistrationCache cache = Device.cache();
        private @Nullable MemoryRegion first;
        private @Nullable MemoryRegion second;

        private MemoryRegion acquire() {
            try {
                return cache.acquire(BUFFER);
            } catch (RdmaException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Actor
        public void first() {
            first = acquire();
        }

        @Actor
        public void second() {
            second = acquire();
        }

        @Arbiter
        public void end(IJ_Result result) {
            result.r1 = first != null && first.equals(second) ? 1 : 0;
            try {
                for (MemoryRegion region : new MemoryRegion[] {first, second}) {
                    cache.release(region);
                }
                cache.close();
            } catch (RdmaException e) {
                throw new UncheckedIOException(e);
            }
            result.r2 = cache.registeredBytes();
        }
    }
}
