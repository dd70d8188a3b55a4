// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs a program of the machine to its end. */
final class Tool {
    private Tool() {}

    /** Returns what the program wrote to its standard output. */
    static String run(String... command) throws TestbedException, InterruptedException {
        return run(
                List.of(command),
                ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    }

    /** As {@link #run(String...)}, with a file as standard input. */
    static String run(List<String> command, ProcessBuilder.Redirect input)
            throws TestbedException, InterruptedException {
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectInput(input).redirectErrorStream(true);
            builder.environment().put("LC_ALL", "C");
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            if (status != 0) {
                throw new TestbedException(
                        String.join(" ", command) + " ended with status " + status + ":\n" + output.strip());
            }
            return output;
        } catch (IOException e) {
            throw new TestbedException("cannot run " + command.get(0) + ": " + e.getMessage(), e);
        }
    }

    /** Runs a filter such as {@code xz -dc} from one file into another. */
    static void filter(List<String> command, Path input, Path output) throws TestbedException, InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(input.toFile())
                    .redirectOutput(output.toFile())
                    .start();
            String complaint = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new TestbedException(String.join(" ", command) + " fails on " + input + ": " + complaint.strip());
            }
        } catch (IOException e) {
            throw new TestbedException("cannot run " + command.get(0) + ": " + e.getMessage(), e);
        }
    }
}
