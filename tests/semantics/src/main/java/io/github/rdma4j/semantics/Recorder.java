// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Records the table of the running kernel into a file. */
public final class Recorder {
    private Recorder() {}

    /** The running kernel's release. */
    static String release() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip();
    }

    /** Records {@code passes} times, what takes minutes only once, and writes what was observed in any of them. */
    static void record(Path directory, int passes) throws Exception {
        String release = release();
        Table table = new Table(release);
        for (int pass = 0; pass < passes; pass++) {
            table.addAll(Recording.record(release, pass == 0));
        }
        Files.write(directory.resolve("kernel-" + Table.series(release) + ".tsv"), table.toLines());
    }

    /** Arguments: the directory to write to, and how many passes. */
    public static void main(String[] arguments) throws Exception {
        record(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
    }
}
