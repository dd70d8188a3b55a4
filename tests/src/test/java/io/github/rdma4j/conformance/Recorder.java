// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.conformance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Records the table of the running kernel into a file. Run in a guest of the testbed; {@code docs/cm-semantics.md} has
 * the command.
 */
public final class Recorder {
    private Recorder() {}

    /** The running kernel's release. */
    static String release() throws java.io.IOException {
        return Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip();
    }

    /** Arguments: the directory to write to, how many passes, and {@code fast} to leave out what takes minutes. */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        int passes = Integer.parseInt(arguments[1]);
        boolean slow = arguments.length < 3;
        String release = release();
        Table table = new Table(release);
        for (int pass = 0; pass < passes; pass++) {
            long start = System.nanoTime();
            table.addAll(Recording.record(release, slow));
            System.err.println("pass " + (pass + 1) + ": " + (System.nanoTime() - start) / 1_000_000_000 + " s");
        }
        Path file = directory.resolve("kernel-" + Table.series(release) + ".tsv");
        Files.write(file, table.toLines(), StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
    }
}
