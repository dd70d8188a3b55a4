// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.OpenResources;
import io.github.rdma4j.testbed.junit.SoftRoce;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.SegmentMemory;
import io.github.rdma4j.verbs.SendWorkRequest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Segments of every kind of arena as the memory of work requests. */
@SoftRoce
@ExtendWith(OpenResources.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SegmentKernelIT {
    private static final long SIZE = 1 << 20;

    static Stream<Supplier<Arena>> arenas() {
        return Stream.of(Arena::ofConfined, Arena::ofShared, Arena::ofAuto, Arena::global);
    }

    private static void closeIfItCanBeClosed(Arena arena) {
        try {
            arena.close();
        } catch (UnsupportedOperationException automaticOrGlobal) {
            // The garbage collector frees the memory, or nobody.
        }
    }

    @ParameterizedTest
    @MethodSource("arenas")
    void movesBytesIntoASegmentAndOutOfIt(Supplier<Arena> arenas) throws Exception {
        Arena arena = arenas.get();
        MemorySegment memory = arena.allocate(SIZE);
        try (Loopback ends = Loopback.connected();
                MemoryRegion region = SegmentMemory.registerMr(ends.server().pd(), memory, Segments.FOR_PEERS)) {
            Segments.writtenAndSentBack(ends, region, memory, 3);
            Segments.writtenAndSentBack(ends, region, memory, SIZE - 4096);
        }
        closeIfItCanBeClosed(arena);
    }

    @Test
    void receivesIntoASegment() throws Exception {
        try (Loopback ends = Loopback.connected()) {
            Segments.received(ends, SIZE);
        }
    }

    /** The device is asked for nothing meanwhile: it would use freed memory. */
    @Test
    void deregistersMemoryWhoseArenaWasClosedBefore() throws Exception {
        Arena arena = Arena.ofShared();
        MemorySegment memory = arena.allocate(SIZE);
        try (Loopback ends = Loopback.connected();
                MemoryRegion region = SegmentMemory.registerMr(ends.server().pd(), memory, Segments.FOR_PEERS)) {
            SendWorkRequest send = SegmentMemory.add(new SendWorkRequest(1).send(), region, memory);
            arena.close();
            assertThatThrownBy(() -> ends.server().qp().postSend(send))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed before the memory region");
        }
    }
}
