// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.host;

import io.github.rdma4j.cm.loop.CmEventLoop;
import java.util.concurrent.TimeUnit;

/** Watches an event loop of a server: nothing that peers do may end it. */
final class LoopWatch {
    private LoopWatch() {}

    static void start(CmEventLoop loop, Violations violations) {
        Thread watch = new Thread(() -> watch(loop, violations), "watch of " + loop);
        watch.setDaemon(true);
        watch.start();
    }

    private static void watch(CmEventLoop loop, Violations violations) {
        try {
            while (!loop.isClosed()) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            violations.add(loop + " has ended, and its server with it");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
