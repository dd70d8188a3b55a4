// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a channel does: a program, or a file or a connection in the place of a program. */
public final class Work {
    private final List<String> fields;

    private Work(List<String> fields) {
        this.fields = List.copyOf(fields);
    }

    /**
     * A program.
     *
     * @param variables {@code NAME=VALUE} sets a variable of the environment, {@code NAME} removes it; all others are
     *     the server's
     */
    public static Work run(Path directory, List<String> arguments, List<String> variables) {
        List<String> fields = new ArrayList<>(List.of("run", directory.toString(), String.valueOf(arguments.size())));
        fields.addAll(arguments);
        fields.addAll(variables);
        return new Work(fields);
    }

    /** The content of a file as output. Status 1 with a reason on standard error if it cannot be read. */
    public static Work read(String path) {
        return new Work(List.of("read", path));
    }

    /** The input as a file; makes the directories above it. */
    public static Work write(String path, int mode) {
        return new Work(List.of("write", path, Integer.toOctalString(mode)));
    }

    /** A directory with all below it as output, in the format of {@link Tree}; or a file. Status 1 as {@link #read}. */
    public static Work exportTree(String path) {
        return new Work(List.of("export", path));
    }

    /** A tree as input becomes a directory, or part of one; makes the directories above it. */
    public static Work importTree(String path) {
        return new Work(List.of("import", path));
    }

    /** A TCP connection that the server's machine makes. Each direction ends by itself. */
    public static Work connect(String host, int port) {
        return new Work(List.of("connect", host, String.valueOf(port)));
    }

    byte[] bytes() {
        return Frame.strings(fields);
    }
}
