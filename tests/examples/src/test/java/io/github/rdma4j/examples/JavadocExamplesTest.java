// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The examples in the Javadoc of the main types and in the README are pieces of the programs of this package, which the
 * compiler compiles and {@link ExamplesKernelIT} runs. White space does not count; a line of three dots leaves something
 * out.
 */
class JavadocExamplesTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final String CM = "cm-protocol/src/main/java/io/github/rdma4j/cm/";
    private static final String VERBS = "uverbs-ioctl/verbs/src/main/java/io/github/rdma4j/verbs/";

    private static final String DEVICE_SAMPLE =
            "tests/testbed/src/test/java/io/github/rdma4j/testbed/junit/DeviceSampleIT.java";

    private static final String TESTBED = "rxe-testbed/testbed/src/main/java/io/github/rdma4j/testbed/";

    private static final Pattern IN_JAVADOC = Pattern.compile("<pre>\\{@code\n(.*?) \\* }</pre>", Pattern.DOTALL);
    private static final Pattern MARGIN = Pattern.compile("(?m)^ \\* ?");

    @ParameterizedTest
    @ValueSource(
            strings = {
                CM + "EventChannel.java",
                CM + "CmId.java",
                CM + "BlockingCmId.java",
                CM + "CmQueues.java",
                CM + "AddressInfo.java",
                CM + "CmMulticast.java",
                CM + "loop/CmEventLoop.java",
                CM + "loop/CmConnection.java",
                VERBS + "QueuePair.java",
                VERBS + "CompletionQueue.java",
                VERBS + "dispatch/CompletionDispatcher.java",
                VERBS + "MemoryRegion.java",
                VERBS + "SharedReceiveQueue.java",
                VERBS + "AddressHandle.java",
                TESTBED + "Testbed.java",
                TESTBED + "Node.java",
                TESTBED + "Capture.java"
            })
    void theExampleOfATypeIsPartOfAProgramThatRuns(String source) throws IOException {
        String classDoc = Files.readString(ROOT.resolve(source)).split("(?m)^public ", 2)[0];
        List<String> examples = Samples.in(IN_JAVADOC, classDoc);
        assertThat(examples).as("examples in %s", source).isNotEmpty();
        for (String example : examples) {
            Samples.assertPartOf(Samples.programs(), MARGIN.matcher(example).replaceAll(""));
        }
    }

    @Test
    void theReadmesExampleIsPartOfAProgramThatRuns() throws IOException {
        List<String> examples = Samples.inMarkdown(ROOT.resolve("README.md"));
        List<Path> programs = List.of(Samples.FOLDER.resolve("BlockingEcho.java"), ROOT.resolve(DEVICE_SAMPLE));
        assertThat(examples).hasSize(2).allSatisfy(example -> Samples.assertPartOf(programs, example));
    }

    @Test
    void everyProgramIsRun() throws IOException {
        String runner = Files.readString(Samples.FOLDER.resolve("ExamplesKernelIT.java"))
                + Files.readString(Samples.FOLDER.resolve("FrameworksKernelIT.java"))
                + Files.readString(Samples.FOLDER.resolve("TwoNodesExampleTest.java"));
        List<Path> programs = Samples.programs();
        assertThat(programs).hasSizeGreaterThanOrEqualTo(8);
        assertThat(programs)
                .allSatisfy(program -> assertThat(runner)
                        .contains(program.getFileName().toString().replace(".java", ".run(")));
    }
}
