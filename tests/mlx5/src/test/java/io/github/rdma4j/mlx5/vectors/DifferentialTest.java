// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.mlx5.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.mlx5.verify.Comparison;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same random verbs on the provider in Java and on libmlx5: each byte for the device and each completion is the same. {@code
 * -Drdma4j.mlx5.seed} asks for others; {@code ./rdma4j verify mlx5} compares millions.
 */
class DifferentialTest {
    private static final long SEED = Long.getLong("rdma4j.mlx5.seed", 20_261_122L);

    /** For each mode. */
    private static final int LINES = Integer.getInteger("rdma4j.mlx5.lines", 30_000);

    @TempDir
    Path directory;

    static Stream<Mode> modes() {
        return Mode.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void javaDoesWhatLibmlx5Does(Mode mode) throws IOException, InterruptedException {
        LibMlx5 c = LibMlx5.build(directory);
        for (int i = 0; i < Math.max(1, LINES / Comparison.SCRIPT_LINES); i++) {
            int lines = Math.min(LINES, Comparison.SCRIPT_LINES);
            assertThat(Comparison.of(mode, SEED + i, lines, c::play).difference())
                    .isEmpty();
        }
    }
}
