// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** How long processors of this machine have worked for a process and its descendants. Other load does not change it. */
final class ProcessorTime {
    /** The unit of {@code /proc/PID/stat}: every Linux on amd64 shows hundredths of a second there. */
    private static final int TICKS_PER_SECOND = 100;

    /** After the name in parentheses, which may hold anything: user, system, and both of the children that were waited for. */
    private static final int FIRST_FIELD = 11;

    private static final int FIELDS = 4;

    private ProcessorTime() {}

    /** Returns the time in user and kernel mode, in hundredths of a second; zero for a process that is gone. */
    static Duration ofTree(long pid) {
        return Duration.ofMillis(ticks(Path.of("/proc", String.valueOf(pid))) * 1000 / TICKS_PER_SECOND);
    }

    private static long ticks(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = 0;
            for (int i = FIRST_FIELD; i < FIRST_FIELD + FIELDS; i++) {
                ticks += Long.parseLong(fields[i]);
            }
            return ticks + children(process);
        } catch (IOException e) {
            return 0;
        }
    }

    private static long children(Path process) throws IOException {
        long ticks = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path thread : threads) {
                for (String child : Files.readString(thread.resolve("children")).split(" ", -1)) {
                    ticks += child.isBlank() ? 0 : ticks(Path.of("/proc", child.strip()));
                }
            }
        }
        return ticks;
    }
}
