// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.host;

/** Writes messages of a process under test about its clients; the run keeps the messages. */
final class Log {
    private Log() {}

    static void say(String line) {
        System.out.println(line.replace('\n', ' '));
    }
}
