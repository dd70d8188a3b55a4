// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.host;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What should never happen and did, in this process. */
public final class Violations {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    /** A list without entries. */
    public Violations() {}

    /** Keeps one. */
    public void add(String violation) {
        seen.add(violation);
    }

    /** All, in the order in which they were seen. */
    public List<String> all() {
        return List.copyOf(seen);
    }
}
