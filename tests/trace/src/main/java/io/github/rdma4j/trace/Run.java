// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.trace;

import io.github.rdma4j.trace.timeline.Entry;
import io.github.rdma4j.trace.timeline.Timeline;
import io.github.rdma4j.trace.timeline.Trace;
import io.github.rdma4j.trace.view.JsonView;
import io.github.rdma4j.trace.view.PageView;
import io.github.rdma4j.trace.view.TextView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** The directory of a run: what the guests need and write, and what becomes of it. */
final class Run {
    private static final String RECORDER = "recorder.pl";

    /** The settings are those of the library; the guests read them from beside their recordings. */
    private static final String SETTINGS = "/META-INF/rdma4j.jfc";

    private final Path directory;

    private Run(Path directory) {
        this.directory = directory;
    }

    /** Creates the directory, or removes what an earlier run left in it. */
    static Run in(Path directory) throws IOException {
        Files.createDirectories(directory);
        Run run = new Run(directory.toRealPath());
        run.clear();
        run.copy(RECORDER);
        run.copy(SETTINGS);
        return run;
    }

    private void clear() throws IOException {
        try (DirectoryStream<Path> old = Files.newDirectoryStream(directory, "{client,server}{,-*.jfr}")) {
            for (Path file : old) {
                Files.delete(file);
            }
        }
        Files.deleteIfExists(capture());
    }

    private void copy(String resource) throws IOException {
        try (InputStream in = Run.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new FileNotFoundException(resource);
            }
            String name = resource.substring(resource.lastIndexOf('/') + 1);
            Files.copy(in, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    Path directory() {
        return directory;
    }

    Path recorder() {
        return directory.resolve(RECORDER);
    }

    Path capture() {
        return directory.resolve(Trace.CAPTURE);
    }

    Path page() {
        return directory.resolve("trace.html");
    }

    /** Writes the time line in its forms, and returns it as text. */
    String write(String title, Trace trace) throws IOException {
        List<Entry> entries = Timeline.of(trace);
        String text = TextView.of(entries);
        Files.writeString(directory.resolve("trace.txt"), text);
        Files.writeString(directory.resolve("trace.json"), JsonView.of(entries));
        Files.writeString(page(), PageView.of(title, entries));
        return text;
    }
}
