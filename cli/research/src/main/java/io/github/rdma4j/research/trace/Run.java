// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The directory of a run, with the files that the guests read and write, and the views. */
record Run(Path directory) {
    private static final String RECORDER = "recorder.pl";

    /**
     * The settings of the library's Flight Recorder events. The guests read them from the directory of their
     * recordings.
     */
    private static final String SETTINGS = "/META-INF/rdma4j.jfc";

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

    Path recorder() {
        return directory.resolve(RECORDER);
    }

    Path capture() {
        return directory.resolve(Trace.CAPTURE);
    }

    Views views() {
        return new Views(directory.resolve("trace"));
    }
}
