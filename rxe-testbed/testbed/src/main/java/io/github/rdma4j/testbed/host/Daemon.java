// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

/** Threads that do not keep the launcher alive. */
public final class Daemon {
    private Daemon() {}

    /** Starts a thread. */
    public static Thread start(String name, Runnable body) {
        Thread thread = new Thread(body, "testbed-" + name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
