// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The process of a machine, with the machine's console on its standard output. */
public final class MachineProcess implements AutoCloseable {
    /**
     * The prefix of the lines on the console with which {@code init} reports the end of a stage; no line of the kernel
     * has it.
     */
    private static final String STAGE = "rdma4j-at ";

    /** The status of a process that SIGKILL ended, as the shell and the JDK report it. */
    private static final int KILLED = 137;

    private final Process process;
    private final long launchedNanos;
    private final List<Stage> stages = new CopyOnWriteArrayList<>();
    private final Console console = new Console();
    private final Console complaints = new Console();
    private final Thread consoleReader;
    private final Thread complaintReader;
    private final CountDownLatch firstWord;

    private MachineProcess(Process process, long launchedNanos, CountDownLatch firstWord) {
        this.process = process;
        this.firstWord = firstWord;
        this.launchedNanos = launchedNanos;
        consoleReader = reader("console", process.getInputStream(), this::consoleLine);
        complaintReader = reader("complaints", process.getErrorStream(), complaints::line);
    }

    /**
     * Starts a process. When the process has ended, the action runs on a separate thread.
     *
     * @param program the name of the program in messages
     */
    public static MachineProcess start(String program, ProcessBuilder builder, Runnable onExit)
            throws TestbedException, InterruptedException {
        long launched = System.nanoTime();
        CompletableFuture<Process> started = new CompletableFuture<>();
        CountDownLatch firstWord = new CountDownLatch(1);
        // The kernel sends the parent death signal when the thread that forked ends, not when the process does. So this
        // thread lives as long as the machine.
        Daemon.start("machine-owner", () -> {
            try {
                Process process = builder.start();
                started.complete(process);
                process.waitFor();
                firstWord.countDown();
                onExit.run();
            } catch (IOException | InterruptedException e) {
                started.completeExceptionally(e);
            }
        });
        try {
            Process process = started.get();
            // A future that is complete already says nothing of an interrupt.
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return new MachineProcess(process, launched, firstWord);
        } catch (InterruptedException e) {
            // The process may be about to start.
            var unused = started.thenAccept(Process::destroyForcibly);
            throw e;
        } catch (ExecutionException e) {
            throw new TestbedException("cannot start " + program + ": " + String.valueOf(e.getCause()), e);
        }
    }

    private void consoleLine(String line) {
        int stage = line.indexOf(STAGE);
        if (stage >= 0) {
            reached(line.substring(stage + STAGE.length()).strip());
            if (firstWord.getCount() > 0) {
                console.booted();
            }
            firstWord.countDown();
        } else {
            console.line(line);
        }
    }

    /** Notes that a stage is over; returns the stage. */
    public Stage reached(String name) {
        Duration at = Duration.ofNanos(System.nanoTime() - launchedNanos);
        Stage stage = new Stage(name, at, ProcessorTime.ofTree(process.pid()));
        stages.add(stage);
        return stage;
    }

    /** The stages that are over, in the order in which they ended. */
    public List<Stage> stages() {
        return List.copyOf(stages);
    }

    public Console console() {
        return console;
    }

    /** Waits until the guest has written a stage on its console, or has ended. */
    public void awaitFirstWord() throws InterruptedException {
        firstWord.await();
    }

    /** Waits for the end of the process, for at most this time. */
    public boolean awaitExit(long seconds) throws InterruptedException {
        return process.waitFor(seconds, TimeUnit.SECONDS);
    }

    /** Waits for the end of the process and of its output; returns the exit status. */
    public int await() throws InterruptedException {
        int status = process.waitFor();
        consoleReader.join();
        complaintReader.join();
        return status;
    }

    /** Describes the end of the process, with advice if there is some. */
    public String end(String program, int status) {
        String text = complaints.tail();
        return program + " ended with status " + status + (text.isEmpty() ? "" : ": " + text) + advice(status, text);
    }

    private static String advice(int status, String complaints) {
        if (status == KILLED) {
            return ". Something killed it, as the kernel of this machine does when its memory runs out (see dmesg): give the"
                    + " guest less with --memory, memoryMib or @SoftRoce(memory), or run fewer guests at a time";
        }
        return complaints.contains("Cannot allocate memory")
                ? ". This machine has too little memory for the guest: give the guest less with --memory, memoryMib or"
                        + " @SoftRoce(memory)"
                : "";
    }

    /** Stops all processors of the guest. The guest notices only the lost time. */
    public void freeze() throws TestbedException, InterruptedException {
        signal("STOP");
    }

    public void thaw() throws TestbedException, InterruptedException {
        signal("CONT");
    }

    // A process of a guest in User Mode Linux may end at the same time.
    private void signal(String name) throws TestbedException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -s \"$@\" || :", "sh", name));
        Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .forEach(each -> command.add(String.valueOf(each.pid())));
        Tool.run(command.toArray(String[]::new));
    }

    /** Ends the guest as a power failure would. */
    public void kill() {
        // Not Process.destroyForcibly, which would close the streams while the readers read.
        process.toHandle().destroyForcibly();
    }

    @Override
    public void close() {
        kill();
    }

    private static Thread reader(String name, InputStream in, java.util.function.Consumer<String> sink) {
        return Daemon.start(name, () -> {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    sink.accept(line);
                }
            } catch (IOException e) {
                // The process was killed while a line was read; earlier lines are kept.
                sink.accept("");
            }
        });
    }

    /**
     * A stage of a guest's life that has ended.
     *
     * @param name a word, such as {@code kernel} or {@code network}
     * @param at the time from the launch to the end of the stage
     * @param processor the processor time of the guest on this machine until then
     */
    public record Stage(String name, Duration at, Duration processor) {}

    /** The last lines on the serial console of a guest's kernel. */
    public static final class Console {
        private static final int LINES = 60;

        private final Deque<String> lines = new ArrayDeque<>();
        private boolean spoke;
        private boolean panicked;
        private boolean outOfMemory;

        synchronized void line(String raw) {
            // The firmware clears the screen; the kernel ends lines with CR LF.
            String line =
                    raw.replaceAll("\u001bc|\u001b\\[[0-9;?]*[A-Za-z]", "").stripTrailing();
            if (line.isEmpty()) {
                return;
            }
            panicked |= line.contains("Kernel panic - not syncing");
            outOfMemory |= line.contains("Kernel panic - not syncing: Out of memory")
                    || line.contains("Kernel panic - not syncing: System is deadlocked on memory");
            spoke = true;
            lines.addLast(line);
            if (lines.size() > LINES) {
                lines.removeFirst();
            }
        }

        /** Forgets what the kernel said of the machine while it booted, which explains no later failure. */
        synchronized void booted() {
            lines.clear();
        }

        /** Whether the kernel has never said anything. */
        public synchronized boolean isSilent() {
            return !spoke;
        }

        public synchronized boolean panicked() {
            return panicked;
        }

        /** Whether the kernel panicked because it had no memory left and nothing to kill. */
        public synchronized boolean panickedOutOfMemory() {
            return outOfMemory;
        }

        public synchronized String tail() {
            return String.join("\n", lines);
        }
    }

    /**
     * The time that processors of this machine have spent on a process and its descendants, regardless of other load.
     */
    static final class ProcessorTime {
        /** The unit of {@code /proc/PID/stat}: every Linux on amd64 shows hundredths of a second there. */
        private static final int TICKS_PER_SECOND = 100;

        /**
         * The first field after the name in parentheses: user and system time, and both times of waited-for children.
         */
        private static final int FIRST_FIELD = 11;

        private static final int FIELDS = 4;

        private ProcessorTime() {}

        /** Returns the time in user and kernel mode, in units of 0.01 s; zero for a process that has ended. */
        static Duration ofTree(long pid) {
            return Duration.ofMillis(ticks(Path.of("/proc", String.valueOf(pid))) * 1000 / TICKS_PER_SECOND);
        }

        private static long ticks(Path process) {
            try {
                String stat = Files.readString(process.resolve("stat"));
                String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
                long ticks = 0;
                for (int i = FIRST_FIELD; i < FIRST_FIELD + FIELDS; i++) {
                    ticks += Long.parseLong(fields[i]);
                }
                return ticks + children(process);
            } catch (IOException e) {
                return 0;
            }
        }

        private static long children(Path process) throws IOException {
            long ticks = 0;
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
                for (Path thread : threads) {
                    for (String child :
                            Files.readString(thread.resolve("children")).split(" ", -1)) {
                        ticks += child.isBlank() ? 0 : ticks(Path.of("/proc", child.strip()));
                    }
                }
            }
            return ticks;
        }
    }
}
