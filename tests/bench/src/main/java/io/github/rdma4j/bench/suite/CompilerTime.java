// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The processor time of a JVM's JIT compilers, of this JVM or another, as the kernel counts it in hundredths of a
 * second.
 */
final class CompilerTime {
    private static final double SECONDS_PER_TICK = 0.01;

    /** The name of a thread, and the 14th and 15th field of the file: ticks in user space and in the kernel. */
    private static final Pattern STAT =
            Pattern.compile("\\d+ \\((C[12] Compiler[^)]*)\\)(?: \\S+){11} (\\d+) (\\d+) .*");

    private CompilerTime() {}

    /** Seconds that the compilers of a JVM have used so far. */
    static double seconds(long pid) throws RdmaException {
        long ticks = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc", String.valueOf(pid), "task"))) {
            for (Path thread : threads) {
                ticks += ticks(read(thread.resolve("stat")));
            }
        } catch (IOException e) {
            throw new RdmaException("cannot read how long the compilers of a JVM have run", e);
        }
        return ticks * SECONDS_PER_TICK;
    }

    /** 0 for any other thread. */
    static long ticks(String stat) {
        Matcher fields = STAT.matcher(stat.strip());
        return fields.matches() ? Long.parseLong(fields.group(2)) + Long.parseLong(fields.group(3)) : 0;
    }

    /** Empty for a thread that has ended. */
    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
