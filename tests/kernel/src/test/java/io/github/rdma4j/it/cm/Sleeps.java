// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Which system call a thread sleeps in, which its Java stack cannot tell. */
final class Sleeps {
    /** The number of poll(2), as {@code /proc/PID/task/TID/syscall} prints it; arm64 has ppoll(2) only, which libc calls there. */
    private static final String POLL = System.getProperty("os.arch").equals("aarch64") ? "73 " : "7 ";

    private Sleeps() {}

    /** Waits until a thread of the name of {@code thread}, which should be the only one, sleeps in poll(2). */
    static void untilPolling(Thread thread) {
        Await.until(thread.getName() + " sleeps in poll(2)", () -> sleepsInPoll(thread.getName()));
    }

    private static boolean sleepsInPoll(String name) {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                if (read(task.resolve("comm")).strip().equals(name)
                        && read(task.resolve("syscall")).startsWith(POLL)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String read(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException ended) {
            return "";
        }
    }
}
