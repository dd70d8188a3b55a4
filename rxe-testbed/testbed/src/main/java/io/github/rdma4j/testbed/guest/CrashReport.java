// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The report of a JVM that crashed in a guest.
 *
 * @param path the copy of the report, {@code hs_err_pid*.log}, on this machine
 * @param gist the lines that say what happened and where: the signal or error, the problematic frame, the frames of
 *     the thread, and {@code siginfo}
 */
public record CrashReport(Path path, List<String> gist) {
    private static final int MOST_FRAMES = 40;

    private static final int LONGEST_LINE = 200;

    /** Keeps the report in a new file of this machine's directory for temporary files. */
    static CrashReport keep(byte[] text, String guestName) throws IOException {
        // A new name: the guest chose the other.
        Path path = Files.createTempFile("rdma4j-guest-hs_err_pid" + guestName.replaceAll("\\D", "") + "-", ".log");
        Files.write(path, text);
        return new CrashReport(path, gist(Files.readAllLines(path, StandardCharsets.ISO_8859_1)));
    }

    /** Where the report is, and the gist. */
    @Override
    public String toString() {
        return "the report of the JVM that crashed is " + path + ":\n  | " + String.join("\n  | ", gist);
    }

    private static List<String> gist(List<String> report) {
        Stream<String> head = report.stream()
                .takeWhile(line -> line.startsWith("#"))
                .filter(line -> line.startsWith("#  ") || line.matches("# (Problematic|Internal|[CJVjv] ).*"))
                .filter(line -> !line.contains("http"));
        Stream<String> frames = report.stream()
                .dropWhile(line -> !line.startsWith("Current thread"))
                .takeWhile(line -> !line.startsWith("siginfo") && !line.startsWith("Registers"))
                .filter(line -> !line.isEmpty())
                .limit(MOST_FRAMES);
        Stream<String> signal =
                report.stream().filter(line -> line.startsWith("siginfo")).limit(1);
        return Stream.of(head, frames, signal)
                .flatMap(lines -> lines)
                .map(line -> line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) : line)
                .toList();
    }
}
