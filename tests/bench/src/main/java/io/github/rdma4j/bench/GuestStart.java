// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench;

import io.github.rdma4j.cli.run.GuestRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A guest from the start of its launcher to its end, as {@code testbed run --times} tells it.
 *
 * @param stages what each stage took, in milliseconds, in the order of the stages
 * @param processors how long processors worked for the guest in each stage, in milliseconds
 * @param kernel the version of the guest's kernel
 * @param complaint what was wrong; empty if the command got its input, gave its output and ended with status 0
 */
record GuestStart(Map<String, Double> stages, Map<String, Double> processors, String kernel, String complaint) {
    /** The last stage before the command's first instruction. */
    static final String STARTED = "started";

    private static final String TESTBED = "io.github.rdma4j.testbed.TestbedMain";
    private static final int LIMIT_SECONDS = 300;
    private static final double MILLIS_PER_SECOND = 1000;
    private static final Pattern ROW = Pattern.compile("  (\\w+) +([0-9.]+) +(-?[0-9.]+) +(-?[0-9.]+)");

    /** More than a pipe holds, so that the streams have to flow. */
    private static final int INPUT_LINES = 20_000;

    /** Starts a guest of this kind, sends lines through a command in it, and waits for its end. */
    static GuestStart of(String kind) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("run", "--times", "--on", kind, "--"));
        command.addAll(List.of("cat", "/proc/sys/kernel/osrelease", "-"));
        String input = input();
        Path directory = Files.createTempDirectory("rdma4j-start");
        Path in = Files.writeString(directory.resolve("in"), input);
        Path out = directory.resolve("out");
        Path errors = directory.resolve("errors");
        try {
            Process process = new ProcessBuilder(GuestRun.commandLine(TESTBED, GuestRun.SHORT_LIVED, command))
                    .redirectInput(in.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(errors.toFile())
                    .start();
            boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            String end = ended ? "status " + process.waitFor() : "no end within " + LIMIT_SECONDS + " s";
            return of(end, Files.readString(out, StandardCharsets.ISO_8859_1), input, Files.readString(errors));
        } finally {
            for (Path file : List.of(in, out, errors, directory)) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static String input() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < INPUT_LINES; i++) {
            text.append("line ").append(i).append('\n');
        }
        return text.toString();
    }

    static GuestStart of(String end, String output, String input, String errors) {
        Map<String, Double> stages = new LinkedHashMap<>();
        Map<String, Double> processors = new LinkedHashMap<>();
        errors.lines().forEach(line -> {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                stages.put(row.group(1), Double.parseDouble(row.group(3)) * MILLIS_PER_SECOND);
                processors.put(row.group(1), Double.parseDouble(row.group(4)) * MILLIS_PER_SECOND);
            }
        });
        int line = output.indexOf('\n') + 1;
        String complaint = "";
        if (!end.equals("status 0")) {
            complaint = end + "\n" + errors;
        } else if (!output.substring(line).equals(input)) {
            complaint = "the output is not the input: " + output.length() + " characters of " + input.length();
        } else if (!stages.containsKey(STARTED)) {
            complaint = "no times: " + errors;
        }
        return new GuestStart(stages, processors, output.substring(0, line).strip(), complaint);
    }

    boolean clean() {
        return complaint.isEmpty();
    }

    /** From the start of the launcher to the command's first instruction, in milliseconds. */
    double untilStarted() {
        return sum(stages, true);
    }

    /** From the start of the launcher to its end, in milliseconds. */
    double whole() {
        return sum(stages, false);
    }

    /** The processor time spent on the guest until the command started, in milliseconds. */
    double processorUntilStarted() {
        return sum(processors, true);
    }

    private static double sum(Map<String, Double> stages, boolean stopAtStart) {
        double sum = 0;
        for (Map.Entry<String, Double> stage : stages.entrySet()) {
            sum += stage.getValue();
            if (stopAtStart && stage.getKey().equals(STARTED)) {
                break;
            }
        }
        return sum;
    }
}
