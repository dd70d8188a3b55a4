// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import io.github.rdma4j.cli.ping.PingCommand;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;

/** Our ping in a process of its own: a client or a server that has a heap, descriptors and an end of its own. */
final class PingProcess {
    /** The start of a JVM takes long in a guest under emulation whose host is busy. */
    private static final Duration START = Duration.ofMinutes(3);

    private PingProcess() {}

    public static void main(String[] arguments) {
        CommandLine line = new CommandLine(new PingCommand());
        line.setExecutionExceptionHandler((failure, picocli, parsed) -> {
            picocli.getErr().println(failure.getMessage());
            return 1;
        });
        System.exit(line.execute(arguments));
    }

    /** Starts it and waits until it has said {@code started}. */
    static Program start(List<String> jvmOptions, String started, String... arguments) {
        List<String> command = Program.java(PingProcess.class, arguments);
        command.addAll(1, jvmOptions);
        Program program = Program.start(command);
        if (!Await.holds(START, () -> program.output().contains(started))) {
            program.close();
            throw new AssertionError(program + " does not say " + started);
        }
        return program;
    }
}
