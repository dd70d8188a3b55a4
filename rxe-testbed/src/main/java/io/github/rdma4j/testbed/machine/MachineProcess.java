// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.host.TestbedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** The process that a machine runs in, with the machine's console on its standard output. */
public final class MachineProcess implements AutoCloseable {
    private final Process process;
    private final Console console = new Console();
    private final Console complaints = new Console();
    private final Thread consoleReader;
    private final Thread complaintReader;

    private MachineProcess(Process process) {
        this.process = process;
        consoleReader = reader("console", process.getInputStream(), console::line);
        complaintReader = reader("complaints", process.getErrorStream(), complaints::line);
    }

    /**
     * Starts a process. When the process has ended, the action runs on a separate thread.
     *
     * @param program the name of the program in messages
     */
    public static MachineProcess start(String program, ProcessBuilder builder, Runnable onExit)
            throws TestbedException, InterruptedException {
        CompletableFuture<Process> started = new CompletableFuture<>();
        // The kernel sends the parent death signal when the thread that forked ends, not when the process does. So this
        // thread lives as long as the machine.
        Daemon.start("machine-owner", () -> {
            try {
                Process process = builder.start();
                started.complete(process);
                process.waitFor();
                onExit.run();
            } catch (IOException | InterruptedException e) {
                started.completeExceptionally(e);
            }
        });
        try {
            return new MachineProcess(started.get());
        } catch (ExecutionException e) {
            throw new TestbedException("cannot start " + program + ": " + String.valueOf(e.getCause()), e);
        }
    }

    public Console console() {
        return console;
    }

    /** Waits for the end of the process, but not for longer than this. */
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

    public String complaints() {
        return complaints.tail();
    }

    /** Ends the guest as a power failure would. */
    public void kill() {
        // Not through Process, which would close the streams over the readers' heads.
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
                // The process was killed while the line was read; what it wrote before is kept.
                sink.accept("");
            }
        });
    }
}
