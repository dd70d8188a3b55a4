// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.stress;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.RegistrationCache;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;

/**
 * A thread uses the region of a buffer while another closes the cache. The numbers tell whether the region was open while it was
 * used, and how many bytes are registered in the end.
 */
@JCStressTest
@Outcome(
        id = {"1, 0", "-1, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "an open region, or refused")
@Outcome(expect = Expect.FORBIDDEN, desc = "a region was closed while it was used, or is left")
@State
public class CachedRegionMeetsClose {
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
        try {
            cache.close();
        } catch (RdmaException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Arbiter
    public void end(IJ_Result result) {
        result.r2 = cache.registeredBytes();
    }
}
