// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import org.jspecify.annotations.Nullable;

/** Writes messages of a process under test about its clients; the run keeps the messages. */
final class Log {
    private Log() {}

    static void say(String line) {
        System.out.println(line.replace('\n', ' '));
    }

    static void say(String prefix, @Nullable Object what) {
        say(prefix + what);
    }
}
