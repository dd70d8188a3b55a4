// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.trace;

import io.github.rdma4j.lab.trace.timeline.Entry;
import io.github.rdma4j.lab.trace.timeline.Timeline;
import io.github.rdma4j.lab.trace.timeline.Trace;
import io.github.rdma4j.lab.trace.view.JsonView;
import io.github.rdma4j.lab.trace.view.PageView;
import io.github.rdma4j.lab.trace.view.TextView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
        Files.writeString(page(), PageView.of(title, entries));
        return text;
    }
}
