// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gives the decoders bytes that a coverage-guided fuzzer thinks of, for {@code -Drdma4j.fuzz.seconds} each (3): whatever
 * they are, only the documented exceptions come out, nothing hangs and no more memory is taken than the bytes account for.
 *
 * <p>A run goes on from what earlier ones have found interesting, in {@code target/fuzz}. An input that fails is kept
 * there too, and its log says how to run it alone.
 */
@Nightly
class FuzzTest {
    private static final int SECONDS = Integer.getInteger("rdma4j.fuzz.seconds", 3);

    /** For the start, which instruments the classes, on a machine that has other things to do. */
    private static final int GRACE_SECONDS = 240;

    /** More than the largest of what any target decodes. */
    private static final int MAX_BYTES = 8192;

    private static final Path WORK = Path.of("target", "fuzz");

    /**
     * A class with a method {@code fuzzerTestOneInput(byte[])}, and inputs to begin with.
     *
     * @param name of the folder with what was found
     */
    private record FuzzTarget(String name, Class<?> type, List<byte[]> seeds) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<FuzzTarget> targets() {
        return List.of(
                new FuzzTarget("cm", CmBytes.class, CmBytes.seeds()),
                new FuzzTarget("sa", SaBytes.class, SaBytes.seeds()),
                new FuzzTarget("sa-conversation", SaConversation.class, SaConversation.seeds()));
    }

    private static List<String> command(FuzzTarget target, Path corpus, Path failures) {
        return List.of(
                // Linux counts what a process had resident before execve(2) to its peak, at which the fuzzer looks: a
                // child
                // of this JVM would begin with the memory of this JVM. The child of a shell does not.
                "sh",
                "-c",
                "\"$@\"; exit $?",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // What a decoder takes beyond this is reported like any other failure.
                "-Xmx256m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + target.type().getName(),
                "--instrumentation_includes=io.github.rdma4j.**",
                "--custom_hook_includes=io.github.rdma4j.**",
                "--reproducer_path=" + failures,
                "-artifact_prefix=" + failures + "/",
                "-max_total_time=" + SECONDS,
                "-timeout=10",
                "-max_len=" + MAX_BYTES,
                "-rss_limit_mb=2048",
                "-print_final_stats=1",
                corpus.toString());
    }

    private static Path corpus(FuzzTarget target) throws IOException {
        Path corpus = Files.createDirectories(WORK.resolve(target.name()).resolve("corpus"));
        List<byte[]> seeds = target.seeds();
        for (int i = 0; i < seeds.size(); i++) {
            Files.write(corpus.resolve("seed-" + i), seeds.get(i));
        }
        return corpus;
    }

    @ParameterizedTest
    @MethodSource("targets")
    void nothingButTheDocumentedComplaint(FuzzTarget target) throws Exception {
        Path log = WORK.resolve(target.name() + ".log");
        Path corpus = corpus(target);
        Path failures = Files.createDirectories(WORK.resolve(target.name()).resolve("failures"));
        Process fuzzer = new ProcessBuilder(command(target, corpus, failures))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(fuzzer.waitFor(SECONDS + GRACE_SECONDS, TimeUnit.SECONDS))
                    .as("it ends")
                    .isTrue();
        } finally {
            fuzzer.descendants().forEach(ProcessHandle::destroyForcibly);
            fuzzer.destroyForcibly();
        }
        String said = Files.readString(log);
        assertThat(fuzzer.exitValue()).as(said).isZero();
        assertThat(said).as("it has run").containsPattern("stat::number_of_executed_units: [1-9]\\d{2,}");
    }
}
