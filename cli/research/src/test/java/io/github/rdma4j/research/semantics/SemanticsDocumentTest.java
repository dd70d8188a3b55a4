// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documentation says about the kernels is what was recorded. */
class SemanticsDocumentTest {
    private static final String CURE = "not what the tables say; to write it anew: ./rdma4j semantics document";
    private static final Path DOCS = Path.of("..", "..", "docs");
    private static final Path FOLDER = DOCS.resolve(DocumentCommand.FOLDER);
    private static final Pattern LINK = Pattern.compile("\\]\\(([a-z-]+\\.md)(?:#([a-z0-9_]+))?\\)");

    private static final SemanticsDocument DOCUMENT = new SemanticsDocument(Tables.committed());

    @Test
    void thePageAgreesWithTheTables() throws IOException {
        String page = Files.readString(DOCS.resolve(DocumentCommand.PAGE));
        assertThat(page).as(CURE).isEqualTo(DocumentCommand.withParts(page, DOCUMENT.parts()));
    }

    @Test
    void theGeneratedPagesAgreeWithTheTables() throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.toList()) {
                found.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        assertThat(found).as(CURE).isEqualTo(DOCUMENT.pages());
    }

    @Test
    void linksLeadToSections() {
        Map<String, String> pages = DOCUMENT.pages();
        pages.forEach((name, text) -> {
            Matcher link = LINK.matcher(text);
            while (link.find()) {
                String target = pages.get(link.group(1));
                assertThat(target).as(name + " links to " + link.group(1)).isNotNull();
                if (link.group(2) != null) {
                    assertThat(target).containsIgnoringCase("\n## " + link.group(2) + "\n");
                }
            }
        });
    }
}
