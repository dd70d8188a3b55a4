// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Kills the children of this JVM when it is gone, however it went: a shell that waits for the end of a pipe of which this
 * JVM has the only other end. A simulator whose console is closed would otherwise spin for ever.
 */
final class Orphans {
    /** Reads "+ PID", "- PID" and "d DIRECTORY" lines; at the end kills what was added only and deletes the directories. */
    private static final String SCRIPT = """
            trap '' INT TERM HUP
            pids=' '
            while read -r what value; do
                case $what in
                    +) pids="$pids$value " ;;
                    -) pids="${pids%% $value *} ${pids#* $value }" ;;
                    d) directories="$directories $value" ;;
                esac
            done
            for pid in $pids; do kill -9 "$pid"; done
            [ -z "$directories" ] || rm -rf $directories
            """;

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final OutputStream PIPE = startShell();

    private Orphans() {}

    private static OutputStream startShell() {
        try {
            return new ProcessBuilder("sh", "-c", SCRIPT)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start()
                    .getOutputStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on the process does not outlive this JVM. */
    static void add(Process process) {
        tell("+ " + process.pid());
    }

    /** The process has ended; its number may soon be another's. */
    static void remove(Process process) {
        tell("- " + process.pid());
    }

    /** A directory, without blanks in its name, that goes with this JVM. */
    static void add(Path directory) {
        tell("d " + directory);
    }

    private static void tell(String line) {
        LOCK.lock();
        try {
            PIPE.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            PIPE.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            LOCK.unlock();
        }
    }
}
