// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.host;

import io.github.rdma4j.cm.loop.CmEventLoop;
import java.util.concurrent.TimeUnit;

/** Watches an event loop of a server: nothing that peers do may end it. */
final class LoopWatch {
    private LoopWatch() {}

    static void start(CmEventLoop loop, Violations violations) {
        String ended = loop + " has ended, and its server with it"; // while there is memory for it
        Thread watch = new Thread(() -> watch(loop, () -> violations.add(ended)), "watch of " + loop);
        watch.setDaemon(true);
        watch.start();
    }

    private static void watch(CmEventLoop loop, Runnable violation) {
        try {
            while (!loop.isClosed()) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            while (!isReported(violation)) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isReported(Runnable violation) {
        try {
            violation.run();
            return true;
        } catch (OutOfMemoryError full) {
            return false;
        }
    }
}
