// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Adds what was measured to a file, a line each, so that a guest that dies loses nothing that was measured before. */
final class Recorder implements AutoCloseable {
    static final String MACHINE = "machine";
    static final String FIGURE = "figure";
    static final String BYTES = "bytes";
    static final String NOTE = "note";
    static final String FAILURE = "failure";
    static final String LEFT_OUT = "left out";

    private static final String SEPARATOR = "\t";

    private final PrintWriter to;

    private Recorder(PrintWriter to) {
        this.to = to;
    }

    static Recorder appendingTo(Path file) throws IOException {
        return new Recorder(new PrintWriter(
                Files.newBufferedWriter(
                        file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                true));
    }

    void machine(Machine machine) {
        List<String> words = new ArrayList<>(List.of(MACHINE));
        words.addAll(machine.fields());
        line(words.toArray(new String[0]));
    }

    /** Adds the figures of one side in one turn. */
    void sample(String bench, Bench.Side side, Bench.Sample sample) {
        sample.figures().forEach((row, value) -> line(FIGURE, row, side.name(), String.valueOf(value)));
        sample.bytesPerOperation().ifPresent(bytes -> line(BYTES, bench, String.valueOf(bytes)));
    }

    /** Adds a note, a failure or the reason why a bench was left out, as {@code kind} says. */
    void text(String kind, String bench, String text) {
        line(kind, bench, text);
    }

    private void line(String... words) {
        to.println(String.join(
                SEPARATOR,
                Arrays.stream(words)
                        .map(word -> word.replace('\t', ' ').replace('\n', ' '))
                        .toList()));
    }

    /** The words of a line. */
    static List<String> words(String line) {
        return List.of(line.split(SEPARATOR, -1));
    }

    @Override
    public void close() {
        to.close();
    }
}
