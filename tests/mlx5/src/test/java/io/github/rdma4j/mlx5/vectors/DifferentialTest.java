// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.mlx5.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same random verbs on the provider in Java and on libmlx5: each byte for the device and each completion is the same. {@code
 * -Drdma4j.mlx5.seed} and {@code -Drdma4j.mlx5.lines} ask for others and for more.
 */
class DifferentialTest {
    private static final long SEED = Long.getLong("rdma4j.mlx5.seed", 20_261_122L);

    /** For each mode. */
    private static final int LINES = Integer.getInteger("rdma4j.mlx5.lines", 30_000);

    /** The scripts are this long: each has queues of other sizes. */
    private static final int LINES_OF_A_SCRIPT = 5_000;

    @TempDir
    Path directory;

    static Stream<Mode> modes() {
        return Mode.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void javaDoesWhatLibmlx5Does(Mode mode) throws IOException, InterruptedException, RdmaException {
        LibMlx5 c = LibMlx5.build(directory);
        for (int i = 0; i < Math.max(1, LINES / LINES_OF_A_SCRIPT); i++) {
            RandomScript script = new RandomScript(mode, SEED + i);
            script.extend(Math.min(LINES, LINES_OF_A_SCRIPT));
            compare(SEED + i, script.transcript(), c.play(mode, script.script()));
        }
    }

    private static void compare(long seed, List<String> java, List<String> c) {
        String line = "";
        for (int i = 0; i < Math.min(java.size(), c.size()); i++) {
            line = java.get(i).startsWith("  ") ? line : java.get(i);
            assertThat(java.get(i))
                    .as("seed %d, line %d, after: %s", seed, i + 1, line)
                    .isEqualTo(c.get(i));
        }
        assertThat(java).as("seed %d", seed).hasSameSizeAs(c);
    }
}
