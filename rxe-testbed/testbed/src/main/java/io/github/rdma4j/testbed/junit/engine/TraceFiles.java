// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** The directory with the recordings of tests, for {@code rdma4j trace render}. */
final class TraceFiles {
    private static final String PROPERTY = "rdma4j.testbed.trace";

    private TraceFiles() {}

    /** Whether tests are recorded. */
    static boolean areWanted() {
        return !System.getProperty(PROPERTY, "").isEmpty();
    }

    /** Writes the recording of a test. Replaces the recording of an earlier run. */
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
        return UniqueId.parse(test).getSegments().stream()
                .skip(1)
                .map(segment -> segment.getValue()
                        .replaceAll("\\(\\)$", "")
                        .replaceAll("[^\\w.$]+", "-")
                        .replaceAll("^-|-$", ""))
                .collect(Collectors.joining(".", "", ".jfr"));
    }

    /**
     * In the guest: records each test with the Flight Recorder and the settings of rdma4j, and sends the recordings.
     */
    static final class Recorder implements TestExecutionListener {
        private static final String SETTINGS = "META-INF/rdma4j.jfc";

        private final EventSender sender;
        private final Map<String, Recording> recordings = new ConcurrentHashMap<>();

        Recorder(EventSender sender) {
            this.sender = sender;
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.isTest()) {
                try {
                    Recording recording = new Recording(settings());
                    recording.start();
                    recordings.put(test.getUniqueId(), recording);
                } catch (IOException | ParseException | LinkageError | IllegalStateException e) {
                    complain(test, e);
                }
            }
        }

        private static Configuration settings() throws IOException, ParseException {
            try (InputStream in = Recorder.class.getClassLoader().getResourceAsStream(SETTINGS)) {
                if (in == null) {
                    throw new FileNotFoundException(
                            "rdma4j-uverbs, which has " + SETTINGS + ", is not on the class path");
                }
                return Configuration.create(new InputStreamReader(in, StandardCharsets.UTF_8));
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            Recording recording = recordings.remove(test.getUniqueId());
            if (recording != null) {
                try (recording) {
                    recording.stop();
                    sender.send(Message.Kind.TRACE, test.getUniqueId(), bytes(recording));
                } catch (IOException e) {
                    complain(test, e);
                }
            }
        }

        private static byte[] bytes(Recording recording) throws IOException {
            Path file = Files.createTempFile("rdma4j-trace", ".jfr");
            try {
                recording.dump(file);
                return Files.readAllBytes(file);
            } finally {
                Files.delete(file);
            }
        }

        private static void complain(TestIdentifier test, Throwable why) {
            System.err.println("testbed: " + test.getDisplayName() + " is not recorded: "
                    + (why.getMessage() == null ? why : why.getMessage()));
        }
    }
}
