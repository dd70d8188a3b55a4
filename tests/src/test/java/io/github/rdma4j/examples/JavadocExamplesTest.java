// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The examples in the Javadoc of the main types and in the README are pieces of the programs of this package, which the
 * compiler compiles and {@link ExamplesKernelIT} runs. White space does not count; a line of three dots leaves something
 * out.
 */
class JavadocExamplesTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PROGRAMS = Path.of("src/test/java/io/github/rdma4j/examples");
    private static final String CM = "cm-protocol/src/main/java/io/github/rdma4j/cm/";
    private static final String VERBS = "uverbs-ioctl/src/main/java/io/github/rdma4j/verbs/";

    private static final Pattern IN_JAVADOC = Pattern.compile("<pre>\\{@code\n(.*?) \\* }</pre>", Pattern.DOTALL);
    private static final Pattern IN_README = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern MARGIN = Pattern.compile("(?m)^ \\* ?");
    private static final Pattern LEFT_OUT = Pattern.compile("(?m)^\\s*\\.\\.\\.$");

    @ParameterizedTest
    @ValueSource(
            strings = {
                CM + "EventChannel.java",
                CM + "CmId.java",
                CM + "BlockingCmId.java",
                CM + "RdmaVerbs.java",
                CM + "AddressInfo.java",
                CM + "CmMulticast.java",
                CM + "loop/CmEventLoop.java",
                CM + "loop/CmConnection.java",
                VERBS + "QueuePair.java",
                VERBS + "CompletionQueue.java",
                VERBS + "MemoryRegion.java",
                VERBS + "SharedReceiveQueue.java",
                VERBS + "AddressHandle.java"
            })
    void theExampleOfATypeIsPartOfAProgramThatRuns(String source) throws IOException {
        String classDoc = Files.readString(ROOT.resolve(source)).split("(?m)^public ", 2)[0];
        List<String> examples = examples(IN_JAVADOC, classDoc);
        assertThat(examples).as("examples in %s", source).isNotEmpty();
        for (String example : examples) {
            assertRuns(MARGIN.matcher(example).replaceAll(""));
        }
    }

    @Test
    void theReadmesExampleIsPartOfAProgramThatRuns() throws IOException {
        List<String> examples = examples(IN_README, Files.readString(ROOT.resolve("README.md")));
        assertThat(examples).isNotEmpty().allSatisfy(JavadocExamplesTest::assertRuns);
    }

    @Test
    void everyProgramIsRun() throws IOException {
        String runner = Files.readString(PROGRAMS.resolve("ExamplesKernelIT.java"));
        List<Path> programs = programs();
        assertThat(programs).hasSizeGreaterThanOrEqualTo(8);
        assertThat(programs)
                .allSatisfy(program -> assertThat(runner)
                        .contains(program.getFileName().toString().replace(".java", ".run(")));
    }

    private static List<String> examples(Pattern pattern, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    private static void assertRuns(String example) throws IOException {
        List<String> pieces = LEFT_OUT.splitAsStream(example)
                .map(JavadocExamplesTest::withoutWhiteSpace)
                .toList();
        for (Path program : programs()) {
            if (holds(withoutWhiteSpace(Files.readString(program)), pieces)) {
                return;
            }
        }
        throw new AssertionError("no program in " + PROGRAMS + " holds, in this order:\n" + example);
    }

    private static boolean holds(String program, List<String> pieces) {
        int from = 0;
        for (String piece : pieces) {
            int at = program.indexOf(piece, from);
            if (at < 0) {
                return false;
            }
            from = at + piece.length();
        }
        return true;
    }

    private static String withoutWhiteSpace(String code) {
        return code.replaceAll("\\s", "");
    }

    private static List<Path> programs() throws IOException {
        try (Stream<Path> sources = Files.list(PROGRAMS)) {
            return sources.filter(JavadocExamplesTest::isProgram).toList();
        }
    }

    private static boolean isProgram(Path source) {
        String name = source.getFileName().toString();
        return !name.equals("package-info.java")
                && !name.equals("Completions.java")
                && !name.endsWith("Test.java")
                && !name.endsWith("IT.java");
    }
}
