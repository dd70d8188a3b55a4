// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.soak.host.Agent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A process under test: servers that clients use, and an agent that answers questions about the process. */
final class TestedProcess implements AutoCloseable {
    /** The entry in the queue of answers for the end of the process. */
    private static final String END = "";

    private final Node node;
    private final String name;
    private final List<String> command;
    private final Path log;
    private BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private @Nullable Process process;
    private long pid;

    /** A process that is not started yet. */
    TestedProcess(Node node, String name, List<String> command, Path logs) {
        this.node = node;
        this.name = name;
        this.command = List.copyOf(command);
        this.log = logs.resolve(name + ".log");
    }

    /** The name of the process. */
    String name() {
        return name;
    }

    /** Where it runs. */
    Node node() {
        return node;
    }

    /** The number of its process, on its node. */
    long pid() {
        return pid;
    }

    /** True until it ends. */
    boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Starts the process, and waits until its servers accept clients. */
    void start() throws SoakFailureException, InterruptedException {
        answers = new LinkedBlockingQueue<>();
        try {
            Process started = new ProcessBuilder(node.commandLine(command))
                    .redirectErrorStream(true)
                    .start();
            process = started;
            BlockingQueue<String> told = answers;
            Thread reader = new Thread(() -> read(started, told), "output of " + name);
            reader.setDaemon(true);
            reader.start();
        } catch (IOException e) {
            throw new SoakFailureException("cannot start " + name, e);
        }
        String[] ready = answer("its start", Limits.START).split(" ", -1);
        pid = Long.parseLong(ready[1]);
    }

    /** Sorts the answers from the rest, which goes to the log. */
    private void read(Process from, BlockingQueue<String> told) {
        try (BufferedReader lines =
                        new BufferedReader(new InputStreamReader(from.getInputStream(), StandardCharsets.UTF_8));
                Writer out = Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            String line;
            while ((line = lines.readLine()) != null) {
                if (line.startsWith(Agent.MARK)) {
                    told.add(line.substring(Agent.MARK.length()));
                } else {
                    out.write(line + "\n");
                    out.flush();
                }
            }
        } catch (IOException e) {
            // The process has been killed.
        }
        told.add(END);
    }

    /** Asks the agent; see {@link Agent}. */
    String ask(String question, Duration limit) throws SoakFailureException, InterruptedException {
        tell(question);
        return answer(question, limit);
    }

    /** Asks without waiting; {@link #answer} has the answer. */
    void tell(String question) throws SoakFailureException {
        if (process == null) {
            throw new SoakFailureException(name + " has not been started");
        }
        try {
            OutputStream to = process.getOutputStream();
            to.write((question + "\n").getBytes(StandardCharsets.US_ASCII));
            to.flush();
        } catch (IOException e) {
            throw new SoakFailureException(name + " has ended, and cannot be asked: " + question, e);
        }
    }

    /** Waits for the next answer. */
    String answer(String question, Duration limit) throws SoakFailureException, InterruptedException {
        String answer = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
        if (answer == null) {
            throw new SoakFailureException(name + " did not answer within " + limit.toSeconds() + " s: " + question);
        }
        if (answer.equals(END) && !isAlive()) {
            throw new SoakFailureException(name + " has ended by itself with status " + exitStatus() + ", see " + log);
        }
        return answer;
    }

    private String exitStatus() {
        return process == null ? "none" : Integer.toString(process.exitValue());
    }

    /** The resources that the process holds after a garbage collection. */
    Map<String, Long> measure() throws SoakFailureException, InterruptedException {
        Map<String, Long> values = new TreeMap<>();
        for (String entry : ask("measure", Limits.PROGRAM).split(" ", -1)) {
            int equals = entry.lastIndexOf('=');
            values.put(entry.substring(0, equals), Long.parseLong(entry.substring(equals + 1)));
        }
        return values;
    }

    /** The violations in the process; empty if there are none. */
    String violations() throws SoakFailureException, InterruptedException {
        return ask("violations", Limits.PROGRAM);
    }

    /** Kills the process with SIGKILL and waits until it has ended. */
    void kill() throws SoakFailureException, InterruptedException {
        node.check("kill", "-9", Long.toString(pid));
        if (process != null && !process.waitFor(Limits.PROGRAM.toSeconds(), TimeUnit.SECONDS)) {
            throw new SoakFailureException(name + " is there " + Limits.PROGRAM.toSeconds() + " s after kill -9");
        }
    }

    /** Waits until the process has ended by itself, with this status. */
    void awaitEnd(int status) throws SoakFailureException, InterruptedException {
        if (process == null || !process.waitFor(Limits.PROGRAM.toSeconds(), TimeUnit.SECONDS)) {
            throw new SoakFailureException(name + " has not ended within " + Limits.PROGRAM.toSeconds() + " s");
        }
        if (process.exitValue() != status) {
            throw new SoakFailureException(name + " has ended with status " + exitStatus() + " instead of " + status);
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    @Override
    public String toString() {
        return name + "[" + pid + "]";
    }
}
