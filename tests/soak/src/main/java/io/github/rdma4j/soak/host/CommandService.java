// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * A command of the command line. Some commands end with their client or at the first error, and are run again. For
 * the others the end is a violation.
 */
final class CommandService implements Service {
    private final String name;

    private final Supplier<Object> command;
    private final List<String> arguments;
    private final AtomicLong successes = new AtomicLong();
    private final @Nullable Violations ends;

    private CommandService(String name, Supplier<Object> command, List<String> arguments, @Nullable Violations ends) {
        this.ends = ends;
        this.name = name;
        this.command = command;
        this.arguments = arguments;
    }

    /** A command that ends with each client. */
    static CommandService repeated(String name, Supplier<Object> command, List<String> arguments) {
        return new CommandService(name, command, arguments, null);
    }

    /** A command that must not end. */
    static CommandService endless(
            String name, Supplier<Object> command, List<String> arguments, Violations violations) {
        return new CommandService(name, command, arguments, violations);
    }

    @Override
    public void start() {
        Threads.start(name, this::run);
    }

    /** How often it ended with status 0. */
    long successes() {
        return successes.get();
    }

    String name() {
        return name;
    }

    private void run() throws InterruptedException {
        while (true) {
            int status = runOnce();
            if (ends != null) {
                ends.add("the server " + name + " has ended with status " + status);
                return;
            }
            if (status == 0) {
                successes.incrementAndGet();
            } else {
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    private int runOnce() {
        try {
            return new CommandLine(command.get())
                    .setExecutionExceptionHandler((e, line, parsed) -> {
                        Log.say(name + ": ", e);
                        return 1;
                    })
                    .execute(arguments.toArray(new String[0]));
        } catch (OutOfMemoryError e) {
            Log.say(name + ": ", e);
            return 1;
        }
    }
}
