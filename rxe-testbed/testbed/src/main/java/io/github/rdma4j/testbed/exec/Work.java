// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The work of a channel: a program, the transfer of files, or a connection. */
public final class Work {
    private final List<String> fields;

    private Work(List<String> fields) {
        this.fields = List.copyOf(fields);
    }

    /**
     * A program.
     *
     * @param variables {@code NAME=VALUE} sets a variable of the environment, {@code NAME} removes it; the server's
     *     other variables stay
     */
    public static Work run(Path directory, List<String> arguments, List<String> variables) {
        List<String> fields = new ArrayList<>(List.of("run", directory.toString(), String.valueOf(arguments.size())));
        fields.addAll(arguments);
        fields.addAll(variables);
        return new Work(fields);
    }

    /** Sends the content of a file. Status 1 and a reason on standard error if the file cannot be read. */
    public static Work read(String path) {
        return new Work(List.of("read", path));
    }

    /** Writes the input to a file; makes missing parent directories. */
    public static Work write(String path, int mode) {
        return new Work(List.of("write", path, Integer.toOctalString(mode)));
    }

    /** Sends a directory tree in the format of {@link Tree}, or a file. Status 1 as in {@link #read}. */
    public static Work exportTree(String path) {
        return new Work(List.of("export", path));
    }

    /** Writes a tree from the input to a directory; makes missing parent directories. */
    public static Work importTree(String path) {
        return new Work(List.of("import", path));
    }

    /** A TCP connection of the server's machine. The two directions end independently. */
    public static Work connect(String host, int port) {
        return new Work(List.of("connect", host, String.valueOf(port)));
    }

    byte[] bytes() {
        return Frame.strings(fields);
    }
}
