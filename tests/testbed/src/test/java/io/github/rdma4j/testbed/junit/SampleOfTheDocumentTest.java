// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tests in docs/testbed.md are parts of tests that run. White space does not count. */
class SampleOfTheDocumentTest {
    private static final Pattern SAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @Test
    void theSamplesRun() throws IOException {
        String document = Files.readString(Path.of("../../docs/testbed.md"));
        String source = source("DeviceSampleIT") + source("SecondNodeSampleIT");
        List<String> samples = SAMPLE.matcher(document)
                .results()
                .map((MatchResult found) -> found.group(1))
                .filter(sample -> sample.contains("@SoftRoce"))
                .toList();
        assertThat(samples)
                .isNotEmpty()
                .allSatisfy(sample -> assertThat(withoutSpace(source)).contains(withoutSpace(sample)));
    }

    private static String source(String name) throws IOException {
        return Files.readString(Path.of("src/test/java/io/github/rdma4j/testbed/junit/" + name + ".java"));
    }

    private static String withoutSpace(String text) {
        return text.replaceAll("\\s", "");
    }
}
