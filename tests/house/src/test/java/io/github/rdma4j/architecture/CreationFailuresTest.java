// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What undoes a creation because a later step failed also does so after an Error: a catch that lists exceptions only, undoes, and
 * throws again, loses the object of the kernel then.
 */
class CreationFailuresTest {
    private static final Pattern WITHOUT_ERRORS = Pattern.compile(
            "catch \\((RdmaException|ErrnoException) \\| RuntimeException (\\| InterruptedException )?(\\w+)\\) \\{[^}]*throw \\3;");

    private static final Pattern PREPARED = Pattern.compile("\\bCreation<[^;(){}>]*> \\w+ =");
    private static final Path VERBS = Path.of("..", "..", "uverbs-ioctl/verbs/src/main/java/io/github/rdma4j/verbs");

    @ParameterizedTest
    @ValueSource(strings = {"uverbs-ioctl/kernel", "uverbs-ioctl/verbs", "cm-protocol"})
    void undoesAfterErrorsToo(String module) throws IOException {
        try (Stream<Path> sources = Files.walk(Path.of("..", "..", module, "src/main/java"))) {
            List<Path> java =
                    sources.filter(path -> path.toString().endsWith(".java")).toList();
            assertThat(java)
                    .hasSizeGreaterThan(5)
                    .allSatisfy(source -> assertThat(Files.readString(source))
                            .as("%s", source)
                            .doesNotContainPattern(WITHOUT_ERRORS));
        }
    }

    /**
     * What a provider has prepared (memory that the kernel knows, a number) is abandoned by {@code Creating}, so nobody else holds it
     * while other steps may fail. A change of a completion queue's size holds it across two steps that cannot, and a context prepares
     * nothing.
     */
    @Test
    void whatWasPreparedIsHeldByWhoAbandonsIt() throws IOException {
        try (Stream<Path> sources = Files.list(VERBS)) {
            assertThat(sources.filter(path -> path.toString().endsWith(".java"))
                            .filter(path -> PREPARED.matcher(textOf(path)).find())
                            .map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("Creating.java", "CompletionQueue.java", "DeviceContext.java");
        }
        assertThat(Files.readString(VERBS.resolve("CompletionQueue.java")))
                .containsPattern(
                        "change = ring\\.resize\\(asked\\);\\s+loss = [^;]*;[^\\n]*\\s+Created.Cq granted;\\s+try \\{\\s+"
                                + "granted = Creating\\.create\\(change, command\\);");
    }

    private static String textOf(Path source) {
        try {
            return Files.readString(source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void findsACatchWithoutErrors() {
        assertThat("} catch (RdmaException | RuntimeException e) { release(); throw e; }")
                .containsPattern(WITHOUT_ERRORS);
        assertThat("} catch (RdmaException | RuntimeException | Error e) { throw e; }")
                .doesNotContainPattern(WITHOUT_ERRORS);
    }
}
