// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.BuiltOnce;
import io.github.rdma4j.providers.Drivers;
import io.github.rdma4j.providers.script.RandomVerbs.Trait;
import io.github.rdma4j.support.Nightly;
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
 * The bytes of the libraries in C for scripts of verbs, in the resources beside the drivers: what the provider in Java writes for the same
 * scripts is the same, byte for byte, and the library as it is installed here still writes it, or as a suite of Debian has it that is not
 * released.
 */
class VectorsTest {
    @TempDir
    static Path directory;

    private static final BuiltOnce<CLibrary> LIBRARIES = new BuiltOnce<>(CLibrary::build);

    static Stream<Mode> modes() {
        return Drivers.modes().stream();
    }

    static Stream<Mode> modesWithLastingLibraries() {
        return modes().filter(mode -> !mode.hasMovingLibraries());
    }

    static Stream<Mode> modesWithMovingLibraries() {
        return modes().filter(Mode::hasMovingLibraries);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void javaWritesTheVectors(Mode mode) throws IOException, RdmaException {
        List<String> vectors = vectors(mode);

        List<String> java = new ArrayList<>();
        Player player = new Player(mode, java::add);
        for (String line : script(vectors)) {
            player.play(line);
        }

        assertThat(java).isEqualTo(vectors);
    }

    /** Rewrite the file with the output of the program when the script of a file changes. */
    @ParameterizedTest
    @MethodSource("modesWithLastingLibraries")
    void theLibraryWritesTheVectors(Mode mode) throws IOException, InterruptedException {
        List<String> vectors = vectors(mode);

        List<String> c = LIBRARIES.of(mode.driver(), directory).play(mode, script(vectors));

        assertThat(c).isEqualTo(vectors);
    }

    @Nightly
    @ParameterizedTest
    @MethodSource("modesWithMovingLibraries")
    void theNewestLibraryWritesTheVectors(Mode mode) throws IOException, InterruptedException {
        theLibraryWritesTheVectors(mode);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void coversEveryOperation(Mode mode) throws IOException {
        List<String> script = script(vectors(mode));
        RandomVerbs.Facts facts = mode.verbs().facts();

        List<String> words =
                new ArrayList<>(List.of("cq", "qp", "send", "chain", "recv", "cqe", "poll", "arm", "event", "destroy"));
        words.addAll(mode.verbs().has(Trait.SHARED) ? List.of("srq", "take") : List.of());
        words.addAll(facts.types().contains("xrc") ? List.of("xsrq", "xcqe") : List.of());
        words.addAll(facts.types().contains("ud") ? List.of("ah") : List.of());
        words.add(mode.verbs().has(Trait.RESETS) ? "reset" : "err");
        words.addAll(mode.verbs().has(Trait.RESIZES) ? List.of("resize") : List.of());

        assertThat(script.stream().map(line -> line.split(" ", -1)[0]).distinct())
                .containsAll(words);
        assertThat(script.stream().filter(line -> line.startsWith("send ")).map(line -> line.split(" ", -1)[3]))
                .containsAll(mode.verbs().operations("rc"));
    }

    private static List<String> vectors(Mode mode) throws IOException {
        try (InputStream in = mode.getClass().getResourceAsStream(mode.name() + ".txt")) {
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
