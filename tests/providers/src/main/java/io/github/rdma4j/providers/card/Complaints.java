// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import java.util.ArrayList;
import java.util.List;

/** What the driver in user space did that a device may answer with anything at all. */
public final class Complaints {
    private static final int ENOUGH = 50;

    private final List<String> all = new ArrayList<>();

    void add(String complaint) {
        if (all.size() < ENOUGH) {
            all.add(complaint);
        }
    }

    List<String> all() {
        return List.copyOf(all);
    }
}
