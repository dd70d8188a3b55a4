// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Another program, with what it says on both outputs collected. Closing kills it if it still runs. */
public final class Program implements AutoCloseable {
    /** A property: a file with an archive of classes (CDS) of the jars of the class path. */
    public static final String ARCHIVE = "rdma4j.programs";

    private final List<String> command;
    private final Process process;
    private final Await.Running<Boolean> reader;
    private final List<String> lines = new ArrayList<>();

    private Program(List<String> command) {
        this.command = command;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command, e);
        }
        reader = Await.inThread(this::read);
    }

    public static Program start(String... command) {
        return new Program(List.of(command));
    }

    public static Program start(List<String> command) {
        return new Program(List.copyOf(command));
    }

    /** Runs a program to its end, which must be a success; returns what it said. */
    public static String run(String... command) throws InterruptedException {
        try (Program program = start(command)) {
            return program.success();
        }
    }

    /**
     * A JVM with the class path of this one that runs {@code main}. Archives of classes stay where they are and no counters are kept in a
     * file, which saves page faults: a third of a start in User Mode Linux.
     */
    public static List<String> java(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0",
                "-XX:-UsePerfData",
                "-cp",
                jarsFirst()));
        String archive = System.getProperty(ARCHIVE, "");
        if (!archive.isEmpty() && Files.exists(Path.of(archive))) {
            command.add(1, "-Xlog:cds=off"); // no word about an archive that does not fit
            command.add(1, "-XX:SharedArchiveFile=" + archive);
        }
        if (Runtime.version().feature() >= 24) {
            command.add(1, "--enable-native-access=ALL-UNNAMED");
            command.add(1, "--sun-misc-unsafe-memory-access=allow");
        }
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return command;
    }

    /** An archive knows nothing of folders, and its jars must come first. */
    private static String jarsFirst() {
        return classPath()
                .sorted(Comparator.comparing(entry -> !entry.endsWith(".jar")))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The class path of the tests. */
    public static Stream<String> classPath() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.of(path.split(File.pathSeparator));
    }

    private boolean read() throws IOException {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                }
            }
        }
        return true;
    }

    public long pid() {
        return process.pid();
    }

    /** What it has said so far. */
    public String output() {
        synchronized (lines) {
            return String.join("\n", lines);
        }
    }

    /** Waits until it has said {@code text}. */
    public void awaitOutput(String text) {
        awaitOutput(text, Await.LIMIT);
    }

    /** The same for a program that may take so long. */
    public void awaitOutput(String text, Duration limit) {
        if (!Await.holds(limit, () -> output().contains(text) || reader.isDone())) {
            throw new AssertionError("not within " + limit + ": " + text + " from " + this);
        }
        if (!output().contains(text)) {
            throw new AssertionError(this + " ended without saying " + text);
        }
    }

    /** Waits until it has said a number behind {@code text} and a space, and returns the first such number. */
    public int awaitNumber(String text) {
        Pattern number = Pattern.compile(Pattern.quote(text) + " (\\d+)");
        boolean unused = Await.holds(Await.LIMIT, () -> number.matcher(output()).find() || reader.isDone());
        Matcher said = number.matcher(output());
        if (!said.find()) {
            throw new AssertionError("no number behind " + text + " from " + this);
        }
        return Integer.parseInt(said.group(1));
    }

    /** Ends it as if it had crashed: SIGKILL. */
    public void kill() throws InterruptedException {
        process.toHandle().destroyForcibly(); // unlike Process.destroyForcibly, leaves its output to be read
        process.waitFor();
    }

    /** Sends it the signal of that name, such as {@code STOP}. */
    public void signal(String name) throws InterruptedException {
        run("sh", "-c", "kill -" + name + " " + pid());
    }

    /** Asks it to end: SIGTERM. */
    public void terminate() {
        process.toHandle().destroy(); // unlike Process.destroy, leaves its output to be read
    }

    /** Waits for its end and returns its status. */
    public int status() throws InterruptedException {
        return status(Await.LIMIT);
    }

    private int status(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError(this + " does not end");
        }
        try {
            reader.result();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("output of " + this, e);
        }
        return process.exitValue();
    }

    /** Waits for its end, which must be a success, and returns what it said. */
    public String success() throws InterruptedException {
        return success(Await.LIMIT);
    }

    /** The same for a program that may take so long. */
    public String success(Duration limit) throws InterruptedException {
        if (status(limit) != 0) {
            throw new AssertionError("status " + process.exitValue() + " of " + this);
        }
        return output();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    @Override
    public String toString() {
        return command.get(0) + " " + command.get(command.size() - 1) + (process.isAlive() ? " (running)" : " (ended)")
                + ", which said: " + output();
    }
}
