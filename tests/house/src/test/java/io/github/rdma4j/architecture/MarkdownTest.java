// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Documents keep their line length, and their links lead to files and headings. */
class MarkdownTest {
    private static final int COLUMNS = 120;
    private static final int LINES_OF_THE_README = 100;

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(?:#([^)]*))?\\)");

    /** Pages that commands of this project write. */
    private static final List<Path> GENERATED = Stream.of("cm-semantics/", "cm-state-machine.md", "kernels.md")
            .map(ParityTest.ROOT.resolve("docs")::resolve)
            .toList();

    static List<Path> documents() throws IOException {
        List<Path> found = new ArrayList<>();
        for (String folder : List.of("docs", "rxe-testbed/sample")) {
            try (Stream<Path> files = Files.walk(ParityTest.ROOT.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(found::add);
            }
        }
        try (Stream<Path> files = Files.list(ParityTest.ROOT)) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(found::add);
        }
        assertThat(found).hasSizeGreaterThan(50);
        return found;
    }

    @ParameterizedTest
    @MethodSource("documents")
    void linesOfProseAreShort(Path document) throws IOException {
        if (GENERATED.stream().noneMatch(document::startsWith)) {
            assertThat(prose(document))
                    .noneMatch(line -> line.length() > COLUMNS && !line.strip().startsWith("|"));
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void linksLeadToFilesAndHeadings(Path document) throws IOException {
        Matcher link = LINK.matcher(String.join("\n", prose(document)));
        while (link.find()) {
            Path target = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
            assertThat(target).as("%s in %s", link.group(), document).exists();
            if (link.group(2) != null && target.toString().endsWith(".md")) {
                assertThat(anchors(target))
                        .as("%s in %s", link.group(), document)
                        .contains(link.group(2));
            }
        }
    }

    @Test
    void theReadmeIsShort() throws IOException {
        assertThat(Files.readAllLines(ParityTest.ROOT.resolve("README.md")))
                .hasSizeLessThanOrEqualTo(LINES_OF_THE_README);
    }

    /** The lines outside blocks of code and outside parts that a test generates. */
    private static List<String> prose(Path document) throws IOException {
        List<String> lines = new ArrayList<>();
        boolean code = false;
        boolean generated = false;
        for (String line : Files.readAllLines(document)) {
            if (line.strip().startsWith("```")) {
                code = !code;
            } else if (line.startsWith("<!-- begin") || line.startsWith("<!-- end")) {
                generated = line.startsWith("<!-- begin");
            } else if (!code && !generated) {
                lines.add(line);
            }
        }
        return lines;
    }

    /** The names that a web site gives the headings of a document. */
    private static Set<String> anchors(Path document) throws IOException {
        return Files.readAllLines(document).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
