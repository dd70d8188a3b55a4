// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.junit.platform.engine.UniqueId;

/**
 * What this engine has taken over in the discovery that goes on in this thread. Jupiter finds the same tests in the same
 * discovery; {@link ClaimFilter} removes from Jupiter's tree exactly these.
 */
final class Claims {
    /** A discovery within a discovery is that of a suite. */
    private static final ThreadLocal<Deque<Set<UniqueId>>> DISCOVERIES = ThreadLocal.withInitial(ArrayDeque::new);

    private Claims() {}

    static void add(UniqueId jupiterId) {
        Set<UniqueId> claimed = DISCOVERIES.get().peek();
        if (claimed != null) {
            claimed.add(jupiterId);
        }
    }

    static boolean contains(UniqueId id) {
        Set<UniqueId> claimed = DISCOVERIES.get().peek();
        return claimed != null && claimed.contains(id);
    }

    static void begin() {
        DISCOVERIES.get().push(new HashSet<>());
    }

    static void end() {
        Deque<Set<UniqueId>> discoveries = DISCOVERIES.get();
        Set<UniqueId> ended = discoveries.pop();
        if (discoveries.isEmpty()) {
            DISCOVERIES.remove();
        } else {
            discoveries.element().addAll(ended);
        }
    }
}
