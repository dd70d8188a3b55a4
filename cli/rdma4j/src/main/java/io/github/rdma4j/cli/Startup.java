// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli;

import io.github.rdma4j.cli.run.Failures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Explains why the program cannot start although its arguments are correct. */
final class Startup {
    private static final Pattern OPEN_FILES = Pattern.compile("(?m)^Max open files\\s+(\\d+)");

    /** Enough for the JVM, its libraries and one connection. */
    private static final int ENOUGH_FILES = 64;

    private Startup() {}

    static String explain(Error failure) {
        Optional<Integer> files = openFiles();
        if (failure instanceof LinkageError && files.isPresent() && files.get() < ENOUGH_FILES) {
            return "the limit of open files is " + files.get()
                    + ", too low to load the native part of JNR; set ulimit -n " + ENOUGH_FILES + " or more ("
                    + firstLine(failure) + ")";
        }
        if (failure instanceof LinkageError) {
            return "the native part of JNR, or a class, cannot be loaded: " + firstLine(failure)
                    + "; --debug shows where. Is the limit of open files (ulimit -n) at least " + ENOUGH_FILES + "?";
        }
        return Failures.text(failure);
    }

    private static String firstLine(Error failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.toString().lines().findFirst().orElse("");
    }

    private static Optional<Integer> openFiles() {
        try {
            Matcher limit = OPEN_FILES.matcher(Files.readString(Path.of("/proc/self/limits")));
            return limit.find() ? Optional.of(Integer.parseInt(limit.group(1))) : Optional.empty();
        } catch (IOException | NumberFormatException | LinkageError e) {
            // reading the file needs a descriptor, and none may be left
            return Optional.empty();
        }
    }
}
