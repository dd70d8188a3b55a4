// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What loses frames between nodes in the hub, and not in a guest. Faults of a kind add up: each is taken back alone. */
public final class HubFaults {
    /** Between a node and all others. */
    private static final int EVERYBODY = 0;

    private final Map<Integer, Integer> cuts = new ConcurrentHashMap<>();

    /** Stops all frames between two nodes, in both directions. */
    public void cut(int one, int other) {
        cuts.merge(key(one, other), 1, Integer::sum);
    }

    public void mend(int one, int other) {
        cuts.computeIfPresent(key(one, other), (key, count) -> count == 1 ? null : Integer.valueOf(count - 1));
    }

    /** Stops all frames to and from a node, as that of a machine that takes no frames. */
    public void isolate(int node) {
        cut(node, EVERYBODY);
    }

    public void rejoin(int node) {
        mend(node, EVERYBODY);
    }

    boolean lose(int from, int to) {
        return !cuts.isEmpty()
                && (cuts.containsKey(key(from, to))
                        || cuts.containsKey(key(from, EVERYBODY))
                        || cuts.containsKey(key(to, EVERYBODY)));
    }

    private static int key(int one, int other) {
        return Math.min(one, other) * (NodeLink.MOST_NODES + 1) + Math.max(one, other);
    }
}
