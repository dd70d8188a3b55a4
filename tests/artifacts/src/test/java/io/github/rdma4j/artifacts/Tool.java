// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.artifacts;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;

/** Programs of the JDK and others, run to their end. */
final class Tool {
    private Tool() {}

    /** Exit status and all that was printed. */
    record Result(int status, String output) {
        /** The output of a run that must be a success. */
        String success() {
            if (status != 0) {
                throw new AssertionError("status " + status + ": " + output);
            }
            return output;
        }
    }

    /** One of the JDK's tools, in this JVM. */
    static Result jdk(String name, String... arguments) {
        StringWriter text = new StringWriter();
        PrintWriter output = new PrintWriter(text, true);
        int status = ToolProvider.findFirst(name).orElseThrow().run(output, output, arguments);
        return new Result(status, text.toString());
    }

    /** A program with a time limit set by JUnit: an interrupt ends it. */
    static Result run(Path directory, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        Path output = directory.resolve("output-of-" + Path.of(command.get(0)).getFileName() + ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            int status = process.waitFor();
            return new Result(status, Files.readString(output, StandardCharsets.UTF_8));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
