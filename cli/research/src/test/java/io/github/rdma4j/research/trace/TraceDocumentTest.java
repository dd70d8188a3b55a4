// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What the documentation shows is what the samples give. */
class TraceDocumentTest {
    @SuppressWarnings("UnusedVariable") // the source of parameters
    private static final List<String> SAMPLES = Samples.NAMES;

    private static final Path DOCS = Path.of("..", "..", "docs");
    private static final String WRITE = "rdma4j.write.docs";
    private static final String CURE = "to write it anew: mvn -pl cli/research -am test -Dtest=TraceDocumentTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -D" + WRITE + "=true";

    private static void compare(Path document, String part, String expected) throws IOException {
        String begin = "<!-- begin " + part + ", generated -->\n";
        String end = "<!-- end " + part + " -->\n";
        String text = Files.readString(document);
        assertThat(text).contains(begin, end);
        int from = text.indexOf(begin) + begin.length();
        if (Boolean.getBoolean(WRITE)) {
            text = text.substring(0, from) + expected + text.substring(text.indexOf(end));
            Files.writeString(document, text);
        }
        assertThat(text.substring(from, text.indexOf(end))).as(CURE).isEqualTo(expected);
    }

    @ParameterizedTest
    @FieldSource("SAMPLES")
    void timeLines(String sample) throws IOException {
        String page = sample.equals("infiniband") ? "infiniband.md" : "cm-trace.md";
        compare(DOCS.resolve(page), sample, "```\n" + TextView.of(Samples.entries(sample)) + "```\n");
    }

    @Test
    void settings() throws IOException {
        String settings = Files.readString(Path.of("../../uverbs-ioctl/verbs/src/main/resources/META-INF/rdma4j.jfc"));
        compare(DOCS.resolve("jfr.md"), "rdma4j.jfc", "```xml\n" + settings + "```\n");
    }

    @Test
    void picture() throws IOException {
        Path file = DOCS.resolve("cm-trace").resolve("normal.svg");
        List<Entry> entries = Samples.entries("normal").stream()
                .filter(entry -> entry.kind() != Entry.Kind.QUERY)
                .toList();
        String expected = SvgView.file(entries);
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(file, expected);
        }
        assertThat(Files.readString(file)).as(CURE).isEqualTo(expected);
    }
}
