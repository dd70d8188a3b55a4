// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.lab.mlx5.verify.Comparison;
import io.github.rdma4j.support.NewSeed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same random verbs on the provider in Java and on libmlx5: each byte for the device and each completion is the same. {@code
 * ./rdma4j verify mlx5} compares millions.
 */
class DifferentialTest {
    /** A page fault of a shared receive queue passed for a completion. */
    private static final long PAGE_FAULT = 77_854;

    /** For each mode. */
    private static final int SCRIPTS = 6;

    @TempDir
    Path directory;

    static Stream<Mode> modes() {
        return Mode.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void javaDoesWhatLibmlx5Does(Mode mode) throws IOException, InterruptedException {
        LibMlx5 c = LibMlx5.build(directory);
        long first = NewSeed.of("DifferentialTest, mode " + mode);
        for (long seed = first; seed < first + SCRIPTS; seed++) {
            assertSame(mode, seed, c);
        }
        assertSame(mode, PAGE_FAULT, c);
    }

    private static void assertSame(Mode mode, long seed, LibMlx5 c) throws IOException, InterruptedException {
        assertThat(Comparison.of(mode, seed, Comparison.SCRIPT_LINES, c::play).difference())
                .isEmpty();
    }
}
