// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.cli.run.RdmaCommand;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** {@code semantics document}: writes the generated parts of the documentation. */
@CommandLine.Command(
        name = "document",
        description =
                "Writes the tables into the documentation: DIR/cm-semantics.md and the pages in DIR/cm-semantics.")
final class DocumentCommand extends RdmaCommand {
    static final String PAGE = "cm-semantics.md";
    static final String FOLDER = "cm-semantics";

    @Parameters(arity = "0..1", paramLabel = "DIR", description = "The folder of the documentation (${DEFAULT-VALUE}).")
    private Path directory = Path.of("docs");

    @Override
    public Integer call() throws IOException {
        Path page = directory.resolve(PAGE);
        require(Files.exists(page), "there is no " + page);
        SemanticsDocument document = new SemanticsDocument(Tables.committed());
        Files.writeString(page, withParts(Files.readString(page), document.parts()));
        writePages(directory.resolve(FOLDER), document.pages());
        return 0;
    }

    /** The page with these parts between their marks. */
    static String withParts(String page, Map<String, String> parts) {
        String text = page;
        for (Map.Entry<String, String> part : parts.entrySet()) {
            String begin = "<!-- begin " + part.getKey() + ", generated -->\n";
            String end = "<!-- end " + part.getKey() + " -->\n";
            int from = text.indexOf(begin);
            int to = text.indexOf(end);
            if (from < 0 || to < from) {
                throw new IllegalStateException(PAGE + " has no part " + part.getKey() + ": no " + begin + end);
            }
            text = text.substring(0, from + begin.length()) + part.getValue() + text.substring(to);
        }
        return text;
    }

    private static void writePages(Path folder, Map<String, String> pages) throws IOException {
        Files.createDirectories(folder);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.md")) {
            for (Path file : files) {
                if (!pages.containsKey(file.getFileName().toString())) {
                    Files.delete(file);
                }
            }
        }
        for (Map.Entry<String, String> page : pages.entrySet()) {
            Files.writeString(folder.resolve(page.getKey()), page.getValue());
        }
    }
}
