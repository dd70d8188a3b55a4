// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.cm.loop.CmEventLoop;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Events of this process that must never happen. */
public final class Violations {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    /** A list without entries. */
    public Violations() {}

    /** Keeps a violation. */
    public void add(String violation) {
        seen.add(violation);
    }

    /** All violations, in the order in which they were seen. */
    public List<String> all() {
        return List.copyOf(seen);
    }

    /** Watches an event loop of a server: nothing that peers do may end it. */
    void watch(CmEventLoop loop) {
        Threads.start("watch of " + loop, () -> {
            while (!loop.isClosed()) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            add(loop + " has ended, and its server with it");
        });
    }
}
