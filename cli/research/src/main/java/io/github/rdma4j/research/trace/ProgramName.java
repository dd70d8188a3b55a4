// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import java.util.List;
import java.util.Set;

/** What readers want to see of a command line: of {@code java} the class or jar and its arguments, without the options. */
final class ProgramName {
    private static final String SHELL = "sh -c exec ";
    private static final Set<String> WITH_VALUE = Set.of(
            "-cp",
            "-classpath",
            "--class-path",
            "-p",
            "--module-path",
            "--upgrade-module-path",
            "--add-modules",
            "--limit-modules",
            "--add-opens",
            "--add-exports",
            "--add-reads",
            "--patch-module",
            "--enable-native-access");
    private static final Set<String> BEFORE_NAME = Set.of("-jar", "-m", "--module");

    private ProgramName() {}

    /** The line without the shell that the server's runs in, and in its short form if it starts a JVM. */
    static String of(String line) {
        String commandLine = line.startsWith(SHELL) ? line.substring(SHELL.length()) : line;
        List<String> words = List.of(commandLine.split(" ", -1));
        if (!last(words.get(0), '/').equals("java")) {
            return commandLine;
        }
        int i = 1;
        while (i < words.size() && words.get(i).matches("[-@].*")) {
            i += WITH_VALUE.contains(words.get(i)) ? 2 : 1;
            if (BEFORE_NAME.contains(words.get(i - 1))) {
                break;
            }
        }
        if (i >= words.size()) {
            return commandLine;
        }
        String name = last(words.get(i), '/');
        String arguments = String.join(" ", words.subList(i + 1, words.size()));
        return ("java " + (name.matches(".*\\.(jar|java)") ? name : last(name, '.')) + " " + arguments).strip();
    }

    private static String last(String text, char separator) {
        return text.substring(text.lastIndexOf(separator) + 1);
    }
}
