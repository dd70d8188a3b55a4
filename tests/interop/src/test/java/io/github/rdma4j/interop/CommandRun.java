// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/**
 * A command of ours that ran in this JVM.
 *
 * @param status exit status
 * @param output what it said
 * @param complaint what it said about its failure
 */
record CommandRun(int status, String output, String complaint) {
    static CommandRun of(Callable<Integer> command, List<String> arguments) {
        StringWriter output = new StringWriter();
        StringWriter complaint = new StringWriter();
        int status = new CommandLine(command)
                .setOut(new PrintWriter(output))
                .setErr(new PrintWriter(complaint))
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    line.getErr().println(failure.getMessage());
                    return 1;
                })
                .execute(arguments.toArray(String[]::new));
        return new CommandRun(status, output.toString(), complaint.toString());
    }

    /** What it said; an error when it failed. */
    String success() {
        if (status != 0) {
            throw new AssertionError("status " + status + ": " + complaint + output);
        }
        return output;
    }
}
