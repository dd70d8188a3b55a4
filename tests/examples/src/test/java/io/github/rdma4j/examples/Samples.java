// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Samples of code in documents, and the sources of this package that a sample has to be a part of. */
final class Samples {
    static final Path FOLDER = Path.of("src/test/java/io/github/rdma4j/examples");

    /** Sources that need JDK 22; the programs are all in {@link #FOLDER}. */
    private static final Path OF_JDK_22 = Path.of("../kernel/src/test/java22/io/github/rdma4j/examples");

    private static final Pattern IN_MARKDOWN = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LEFT_OUT = Pattern.compile("(?m)^\\s*\\.\\.\\.$");

    /** Sources beside the programs: helpers, and samples that are compiled and need not run. */
    private static final Set<String> NO_PROGRAMS =
            Set.of("package-info.java", "Completions.java", "Samples.java", "GuideSamples.java", "SegmentSamples.java");

    private Samples() {}

    /** The blocks of Java in a document. */
    static List<String> inMarkdown(Path document) throws IOException {
        return in(IN_MARKDOWN, Files.readString(document));
    }

    /** What the pattern's first group finds in a text. */
    static List<String> in(Pattern pattern, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    /** The programs of this package, which {@link ExamplesKernelIT} runs. */
    static List<Path> programs() throws IOException {
        return sources().stream()
                .filter(source -> !NO_PROGRAMS.contains(source.getFileName().toString()))
                .toList();
    }

    /** The sources of this package beside the tests. */
    static List<Path> sources() throws IOException {
        try (Stream<Path> ofEveryJdk = Files.list(FOLDER);
                Stream<Path> ofJdk22 = Files.list(OF_JDK_22);
                Stream<Path> files = Stream.concat(ofEveryJdk, ofJdk22)) {
            return files.filter(file -> !file.toString().endsWith("Test.java")
                            && !file.toString().endsWith("IT.java"))
                    .toList();
        }
    }

    /** White space does not count; a line of three dots leaves something out. */
    static void assertPartOf(List<Path> sources, String sample) throws IOException {
        List<String> pieces =
                LEFT_OUT.splitAsStream(sample).map(Samples::withoutWhiteSpace).toList();
        for (Path source : sources) {
            if (holds(withoutWhiteSpace(Files.readString(source)), pieces)) {
                return;
            }
        }
        throw new AssertionError("no source of " + sources + " holds, in this order:\n" + sample);
    }

    private static boolean holds(String source, List<String> pieces) {
        int from = 0;
        for (String piece : pieces) {
            int at = source.indexOf(piece, from);
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
}
