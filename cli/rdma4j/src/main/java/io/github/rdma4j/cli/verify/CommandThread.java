// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import io.github.rdma4j.cli.ping.PingCommand;
import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cli.run.Peer;
import io.github.rdma4j.cli.transfer.CmatoseCommand;
import io.github.rdma4j.cli.transfer.MckeyCommand;
import io.github.rdma4j.cli.transfer.UdaddyCommand;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import picocli.CommandLine;

/** A command of this program on its own thread. Closing interrupts the command. */
final class CommandThread implements Peer {
    private static final Map<String, Supplier<Callable<Integer>>> COMMANDS = Map.of(
            "ping", PingCommand::new,
            "cmatose", CmatoseCommand::new,
            "udaddy", UdaddyCommand::new,
            "mckey", MckeyCommand::new);

    private static final long FAREWELL_MILLIS = 5000;
    private static final long NAP_MILLIS = 10;

    private final String name;
    private final StringWriter output = new StringWriter();
    private final FutureTask<Integer> task;
    private final Thread thread;

    private CommandThread(List<String> words) {
        name = words.get(0);
        PrintWriter writer = new PrintWriter(output, true);
        CommandLine line = new CommandLine(
                        Objects.requireNonNull(COMMANDS.get(name), name).get())
                .setOut(writer)
                .setErr(writer)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    writer.println(Failures.text(failure));
                    return 1;
                });
        task = new FutureTask<>(
                () -> line.execute(words.subList(1, words.size()).toArray(String[]::new)));
        thread = new Thread(task, String.join(" ", words));
        thread.setDaemon(true);
    }

    /** Starts a command with its arguments. */
    static CommandThread start(List<String> words) {
        CommandThread started = new CommandThread(words);
        started.thread.start();
        return started;
    }

    @Override
    public String output() {
        return output.toString();
    }

    @Override
    public int await(Duration limit) throws RdmaException, InterruptedException {
        try {
            return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new RdmaException(name + " did not end within " + limit.toSeconds() + " s:\n" + output(), e);
        } catch (ExecutionException e) {
            throw new RdmaException(name + " failed: " + Failures.text(e), e);
        }
    }

    @Override
    public void awaitOutput(String text, Duration limit) throws RdmaException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!output().contains(text)) {
            if (task.isDone() || System.nanoTime() > deadline) {
                throw new RdmaException(name + " did not print '" + text + "':\n" + output());
            }
            TimeUnit.MILLISECONDS.sleep(NAP_MILLIS);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(FAREWELL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
