// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.OpenResources;
import io.github.rdma4j.it.support.RunningKernel;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.junit.SoftRoce;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.SegmentMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A segment of more than a ByteBuffer can have. It runs where {@link LargeRegionKernelIT} runs, for the same reasons. */
@SoftRoce(
        memory = 4096,
        backend = {Backend.VM, Backend.HOST})
@ExtendWith(OpenResources.class)
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargeSegmentKernelIT {
    private static final long TWO_GIB = 1L << 31;
    private static final long LENGTH = TWO_GIB + (16 << 20);

    @Test
    void movesBytesBeyond2GiB() throws Exception {
        if (RunningKernel.isAtLeast(7, 2)) {
            assertThatThrownBy(LargeSegmentKernelIT::move)
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
        } else {
            move();
        }
    }

    private static void move() throws Exception {
        try (Loopback ends = Loopback.connected()) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment memory = arena.allocate(LENGTH);
                try (MemoryRegion region =
                        SegmentMemory.registerMr(ends.server().pd(), memory, Segments.FOR_PEERS)) {
                    assertThat(region.length()).isEqualTo(LENGTH);
                    Segments.writtenAndSentBack(ends, region, memory, TWO_GIB + 5);
                    Segments.writtenAndSentBack(ends, region, memory, LENGTH - 4096);
                }
            }
            Segments.received(ends, LENGTH);
        }
    }
}
