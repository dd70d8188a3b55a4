// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.semantics.behaviour.BehaviourTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the documentation says about the kernels is what was recorded. */
class SemanticsDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "..", "docs", "cm-semantics.md");

    /** Set to write the parts into the document instead of comparing them. */
    private static final String WRITE = "rdma4j.write.docs";

    private static Map<String, String> parts() {
        Tables tables = Tables.committed();
        SemanticsDocument document = new SemanticsDocument(tables);
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("counts", document.counts());
        parts.put("overview", document.overview());
        parts.put("surprises", Surprise.toMarkdown(tables));
        parts.put("differences", document.differences());
        parts.put("deviations", Deviation.toMarkdown());
        parts.put("behaviours", behaviours(tables));
        parts.put("removal", removal(tables));
        parts.put("details", document.details());
        return parts;
    }

    private static String behaviours(Tables tables) {
        BehaviourTable table = new BehaviourTable(tables.bySeries());
        return "### Conformance cases\n\n" + table.cases() + "\n### Surprises\n\n" + table.surprises()
                + "\n### Other facts\n\n" + table.facts() + "\n### Contradictions\n\n" + table.contradictions();
    }

    private static String removal(Tables tables) {
        try (InputStream in = SemanticsDocumentTest.class.getResourceAsStream("/semantics/removal.md")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8) + "\n"
                    + new BehaviourTable(tables.bySeries()).removal();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String begin(String part) {
        return "<!-- begin " + part + ", generated -->\n";
    }

    private static String end(String part) {
        return "<!-- end " + part + " -->\n";
    }

    @Test
    void holdsWhatWasRecorded() throws IOException {
        String document = Files.readString(DOCUMENT);
        for (Map.Entry<String, String> part : parts().entrySet()) {
            String begin = begin(part.getKey());
            String end = end(part.getKey());
            assertThat(document).contains(begin, end);
            int from = document.indexOf(begin) + begin.length();
            int to = document.indexOf(end);
            if (Boolean.getBoolean(WRITE)) {
                document = document.substring(0, from) + part.getValue() + document.substring(to);
                Files.writeString(DOCUMENT, document);
                to = document.indexOf(end);
            }
            assertThat(document.substring(from, to))
                    .as(
                            "the part %s of %s. To write it anew: mvn -pl tests/semantics -am test -Dtest=%s"
                                    + " -Dsurefire.failIfNoSpecifiedTests=false -D%s=true",
                            part.getKey(), DOCUMENT.normalize(), getClass().getSimpleName(), WRITE)
                    .isEqualTo(part.getValue());
        }
    }
}
