// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What undoes a creation because a later step failed also does so for lack of memory, which is an Error: a catch that lists exceptions
 * only, undoes, and throws again, loses the object of the kernel then.
 */
class CreationFailuresTest {
    private static final Pattern WITHOUT_ERRORS = Pattern.compile(
            "catch \\((RdmaException|ErrnoException) \\| RuntimeException (\\| InterruptedException )?(\\w+)\\) \\{[^}]*throw \\3;");

    @ParameterizedTest
    @ValueSource(strings = {"uverbs-ioctl/kernel", "uverbs-ioctl/verbs", "cm-protocol"})
    void undoesAfterErrorsToo(String module) throws IOException {
        try (Stream<Path> sources = Files.walk(Path.of("..", module, "src/main/java"))) {
            List<Path> java =
                    sources.filter(path -> path.toString().endsWith(".java")).toList();
            assertThat(java)
                    .hasSizeGreaterThan(5)
                    .allSatisfy(source -> assertThat(Files.readString(source))
                            .as("%s", source)
                            .doesNotContainPattern(WITHOUT_ERRORS));
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
