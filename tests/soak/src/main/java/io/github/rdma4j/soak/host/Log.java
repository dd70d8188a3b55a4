// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

/** What a process under test says about its clients; the run keeps it. */
final class Log {
    private Log() {}

    static void say(String line) {
        System.out.println(line.replace('\n', ' '));
    }
}
