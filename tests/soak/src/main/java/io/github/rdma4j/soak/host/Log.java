// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import org.jspecify.annotations.Nullable;

/** Writes messages of a process under test about its clients; the run keeps the messages. */
final class Log {
    private Log() {}

    static void say(String line) {
        System.out.println(line.replace('\n', ' '));
    }

    /**
     * Says {@code what} after {@code prefix}, or nothing when there is no memory for the message: a server must not end
     * for a message.
     */
    static void say(String prefix, @Nullable Object what) {
        try {
            say(prefix + what);
        } catch (OutOfMemoryError full) {
            // The next message may fit.
        }
    }
}
