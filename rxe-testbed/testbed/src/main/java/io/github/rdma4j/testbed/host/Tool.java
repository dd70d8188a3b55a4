// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs a program of this machine to its end. The program does not outlive the thread that runs it; otherwise the
 * program of a killed launcher would still write to the cache, whose lock is free.
 */
public final class Tool {
    private static final Path NO_INPUT = Path.of("/dev/null");
    private static final Path HERE = Path.of("").toAbsolutePath();

    /** The directories of administrators' tools, which are not in the PATH of ordinary users. */
    private static final List<String> FURTHER_PLACES = List.of("/usr/sbin", "/sbin");

    private static final int LAST_LINES = 30;

    private Tool() {}

    /** Returns the output of the program, standard error included. */
    public static String run(String... command) throws TestbedException, InterruptedException {
        return runIn(HERE, List.of(command));
    }

    /** As {@link #run(String...)}, with a working directory. */
    public static String runIn(Path directory, List<String> command) throws TestbedException, InterruptedException {
        StringBuilder output = new StringBuilder();
        int status = execute(directory, command, line -> output.append(line).append('\n'));
        if (status != 0) {
            throw new FailureException(
                    String.join(" ", command), status, output.toString().strip());
        }
        return output.toString();
    }

    /** Runs a long step; the consumer gets its lines. The exception of a step that fails has the last lines. */
    public static void follow(Path directory, List<String> command, Consumer<String> lines)
            throws TestbedException, InterruptedException {
        Deque<String> last = new ArrayDeque<>();
        int status = execute(directory, command, line -> {
            lines.accept(line);
            last.addLast(line);
            if (last.size() > LAST_LINES) {
                last.removeFirst();
            }
        });
        if (status != 0) {
            throw new FailureException(String.join(" ", command), status, String.join("\n", last));
        }
    }

    private static int execute(Path directory, List<String> command, Consumer<String> lines)
            throws TestbedException, InterruptedException {
        ProcessBuilder builder = builder(command).directory(directory.toFile());
        builder.redirectInput(NO_INPUT.toFile()).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        try {
            Process process = builder.start();
            try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
                reader.lines().forEach(lines);
                return process.waitFor();
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException | UncheckedIOException e) {
            throw cannotRun(command, e);
        }
    }

    /**
     * Fails if a tool is missing.
     *
     * @param purpose the reason for the tools, as the beginning of the message
     * @param packages the packages to install
     */
    public static void require(List<String> tools, String purpose, String packages)
            throws TestbedException, InterruptedException {
        for (String tool : tools) {
            try {
                String unused = run(tool, "--version");
            } catch (TestbedException e) {
                throw new TestbedException(purpose + ": " + e.getMessage() + "; install " + packages, e);
            }
        }
    }

    /** Runs a filter such as {@code xz -dc} from one file into another. */
    public static void filter(List<String> command, Path input, Path output)
            throws TestbedException, InterruptedException {
        try {
            Process process = builder(command)
                    .redirectInput(input.toFile())
                    .redirectOutput(output.toFile())
                    .start();
            try {
                String complaint = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
                if (process.waitFor() != 0) {
                    throw new TestbedException(
                            String.join(" ", command) + " fails on " + input + ": " + complaint.strip());
                }
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw cannotRun(command, e);
        }
    }

    private static TestbedException cannotRun(List<String> command, Exception e) {
        return new TestbedException("cannot run " + command.get(0) + ": " + e.getMessage(), e);
    }

    private static ProcessBuilder builder(List<String> command) throws TestbedException {
        List<String> line = new ArrayList<>(List.of(located("setpriv"), "--pdeathsig", "KILL"));
        line.add(located(command.get(0)));
        line.addAll(command.subList(1, command.size()));
        return new ProcessBuilder(line);
    }

    private static String located(String program) throws TestbedException {
        return locate(program, System.getenv().getOrDefault("PATH", ""))
                .map(Path::toString)
                .orElseThrow(() -> new TestbedException("cannot run " + program + ": it is neither in the PATH nor in "
                        + String.join(" or ", FURTHER_PLACES)));
    }

    /** Looks for a program in a PATH, and then in the directories of administrators' tools. */
    public static Optional<Path> locate(String program, String path) {
        if (program.contains("/")) {
            return Optional.of(Path.of(program));
        }
        // An empty part would be the working directory, from which no tool must run.
        return Stream.concat(Stream.of(path.split(":", -1)), FURTHER_PLACES.stream())
                .filter(part -> part.startsWith("/"))
                .map(part -> Path.of(part, program))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    /** A program of the machine ended with a status that is not zero. */
    public static final class FailureException extends TestbedException {
        private static final long serialVersionUID = 1L;

        private final String output;

        FailureException(String command, int status, String output) {
            super(command + " ended with status " + status + ":\n" + output);
            this.output = output;
        }

        /** The output of the program. */
        public String output() {
            return output;
        }
    }
}
