// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bytes of libmlx5 for scripts of verbs, in the resources of this package: what the provider in Java writes for the same
 * scripts is the same, byte for byte, and libmlx5 as it is installed here still writes it.
 */
class VectorsTest {
    @TempDir
    Path directory;

    static Stream<Mode> modes() {
        return Mode.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void javaWritesTheVectors(Mode mode) throws IOException, RdmaException {
        List<String> vectors = vectors(mode);

        List<String> java = new ArrayList<>();
        Mlx5Player player = new Mlx5Player(mode, java::add);
        for (String line : script(vectors)) {
            player.play(line);
        }

        assertThat(java).isEqualTo(vectors);
    }

    /** Rewrite the file with the output of the program when the script of a file changes. */
    @ParameterizedTest
    @MethodSource("modes")
    void libmlx5WritesTheVectors(Mode mode) throws IOException, InterruptedException {
        List<String> vectors = vectors(mode);

        List<String> c = LibMlx5.build(directory).play(mode, script(vectors));

        assertThat(c).isEqualTo(vectors);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void coversEveryOperation(Mode mode) throws IOException {
        List<String> script = script(vectors(mode));

        assertThat(script.stream().map(line -> line.split(" ", -1)[0]).distinct())
                .contains(
                        "cq", "qp", "srq", "xsrq", "ah", "send", "chain", "recv", "take", "cqe", "poll", "arm", "event",
                        "reset")
                .contains("destroy", "xcqe");
        assertThat(script.stream().filter(line -> line.startsWith("send ")).map(line -> line.split(" ", -1)[3]))
                .contains("send", "send_imm", "write", "write_imm", "read", "cas", "fadd");
    }

    private static List<String> vectors(Mode mode) throws IOException {
        try (InputStream in = VectorsTest.class.getResourceAsStream(mode.name() + ".txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** The lines that are not output. */
    private static List<String> script(List<String> vectors) {
        return vectors.stream()
                .filter(line -> !line.startsWith("  ") && !line.startsWith("context "))
                .toList();
    }
}
