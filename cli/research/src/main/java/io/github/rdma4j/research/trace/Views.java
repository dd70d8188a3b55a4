// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The files that show a time line.
 *
 * @param base their path without the ending
 */
record Views(Path base) {
    Path page() {
        return with(".html");
    }

    private Path with(String ending) {
        return base.resolveSibling(base.getFileName() + ending);
    }

    /** Writes the time line in its forms, and returns it as text, which begins with the note. */
    String write(String title, String note, Trace trace) throws IOException {
        List<Entry> entries = Timeline.of(trace);
        String text = note + TextView.of(entries);
        Files.writeString(with(".txt"), text);
        Files.writeString(with(".json"), JsonView.of(entries));
        Files.writeString(page(), page(title, entries));
        return text;
    }

    /** The time line as a page of HTML that needs no other file and no network. */
    static String page(String title, List<Entry> entries) throws IOException {
        return resource("page.html")
                .replace("@STYLE@", resource("diagram.css"))
                .replace("@TITLE@", SvgView.escaped(title))
                .replace("@PROGRAMS@", SvgView.escaped(programs(entries)))
                .replace("@SVG@", SvgView.of(entries))
                .replace("@TEXT@", SvgView.escaped(TextView.of(entries)))
                // The only text that could end the element of the script.
                .replace("@JSON@", JsonView.of(entries).replace("</", "<\\/"));
    }

    /** The whole command lines. */
    private static String programs(List<Entry> entries) {
        return entries.stream()
                .map(entry -> entry.details().getOrDefault(Entry.COMMAND_LINE, ""))
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("\n"));
    }

    /** One of the files that pages are made of. */
    static String resource(String name) throws IOException {
        try (InputStream in = Views.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new FileNotFoundException(name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
