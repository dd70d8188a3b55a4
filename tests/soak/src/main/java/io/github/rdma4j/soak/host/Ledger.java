// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import java.util.HashSet;
import java.util.Set;

/** Work requests of one queue that have been posted and not completed: each has to complete exactly once. */
final class Ledger {
    private final String name;
    private final Violations violations;
    private final Set<Long> open = new HashSet<>();
    private long last;

    /** A ledger without entries; {@code name} says whose queue it is. */
    Ledger(String name, Violations violations) {
        this.name = name;
        this.violations = violations;
    }

    /** Before the request is posted: its completion may be seen before posting returns. */
    void posting(long wrId) {
        open.add(wrId);
    }

    /** The same with a number that the ledger chooses, for requests that have no id; returns the number. */
    long posting() {
        posting(++last);
        return last;
    }

    /** The request was refused: nothing will complete. */
    void refused(long wrId) {
        open.remove(wrId);
    }

    void completed(long wrId) {
        if (!open.remove(wrId)) {
            violations.add(name + ": a completion of request " + wrId + ", which is not posted; posted are " + open);
        }
    }

    boolean isSettled() {
        return open.isEmpty();
    }

    /** The connection is over and nothing more will come. */
    void close() {
        if (!open.isEmpty()) {
            violations.add(name + ": requests " + open + " were never completed, not even by a flush");
        }
    }
}
