// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.cli.run.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
        Files.writeString(with(".json"), json(entries));
        Files.writeString(page(), page(title, entries));
        return text;
    }

    /** The time line as a page of HTML that needs no other file and no network. */
    static String page(String title, List<Entry> entries) {
        return Resource.text("page.html")
                .replace("@STYLE@", Resource.text("diagram.css"))
                .replace("@TITLE@", SvgView.escaped(title))
                .replace("@PROGRAMS@", SvgView.escaped(programs(entries)))
                .replace("@SVG@", SvgView.of(entries))
                .replace("@TEXT@", SvgView.escaped(TextView.of(entries)))
                // The only text that could end the element of the script.
                .replace("@JSON@", json(entries).replace("</", "<\\/"));
    }

    /** The whole command lines. */
    private static String programs(List<Entry> entries) {
        return entries.stream()
                .map(entry -> entry.details().getOrDefault(Entry.COMMAND_LINE, ""))
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("\n"));
    }

    /** The time line as JSON, an array with an entry in a line; {@code docs/cm-trace.md} says what is in it. */
    static String json(List<Entry> entries) {
        return entries.stream()
                .map(entry -> Json.text(object(entry)) + "\n")
                .collect(Collectors.joining(",", "[\n", "]\n"));
    }

    private static Map<String, Object> object(Entry entry) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("number", entry.number());
        object.put("kind", entry.kind().name().toLowerCase(Locale.ROOT));
        object.put("nanoseconds", entry.time());
        object.put("duration", entry.duration());
        object.put("from", entry.from().name().toLowerCase(Locale.ROOT));
        object.put("to", entry.to().name().toLowerCase(Locale.ROOT));
        object.put("name", entry.name());
        object.put("summary", entry.summary());
        object.put("result", entry.result());
        object.put("causes", entry.causes());
        object.put("details", entry.details());
        return object;
    }
}
