// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.platform.engine.UniqueId;

/** The directory to which the recordings of tests go, {@code rdma4j trace render} reads it. */
final class TraceFiles {
    private static final String PROPERTY = "rdma4j.testbed.trace";

    private TraceFiles() {}

    /** Whether tests are to be recorded. */
    static boolean areWanted() {
        return !System.getProperty(PROPERTY, "").isEmpty();
    }

    /** Writes the recording of a test, in place of that of an earlier run. */
    static void write(String test, byte[] recording) {
        Path directory = Path.of(System.getProperty(PROPERTY, "")).toAbsolutePath();
        try {
            Files.createDirectories(directory);
            Files.write(directory.resolve(name(test)), recording);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the recording of a test to " + directory, e);
        }
    }

    /** The classes, the method and the numbers of a test, such as {@code a.EchoTest.echoes.1.jfr}. */
    static String name(String test) {
        StringBuilder name = new StringBuilder();
        UniqueId.parse(test).getSegments().stream()
                .skip(1)
                .map(segment -> segment.getValue()
                        .replaceAll("\\(\\)$", "")
                        .replaceAll("[^\\w.$]+", "-")
                        .replaceAll("^-|-$", ""))
                .forEach(part -> name.append(part).append('.'));
        return name.append("jfr").toString();
    }
}
