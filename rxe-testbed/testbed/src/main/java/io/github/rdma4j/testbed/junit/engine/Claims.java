// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.LauncherDiscoveryListener;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * The tests that this engine has taken over in the present discovery of this thread. Jupiter finds the same tests;
 * {@link Filter} removes them from Jupiter's tree.
 */
final class Claims {
    /** The id of the engine that takes over tests. */
    static final String ENGINE = "rdma4j-soft-roce";

    /** A nested discovery belongs to a suite. */
    private static final ThreadLocal<Deque<Set<UniqueId>>> DISCOVERIES = ThreadLocal.withInitial(ArrayDeque::new);

    private Claims() {}

    static void add(UniqueId jupiterId) {
        Set<UniqueId> claimed = DISCOVERIES.get().peek();
        if (claimed != null) {
            claimed.add(jupiterId);
        }
    }

    /** Removes tests that run in a guest from Jupiter's tree. */
    public static final class Filter implements PostDiscoveryFilter {
        @Override
        public FilterResult apply(TestDescriptor test) {
            Set<UniqueId> claimed = DISCOVERIES.get().peek();
            return claimed != null && claimed.contains(test.getUniqueId())
                    ? FilterResult.excluded("runs in a guest, by the engine " + ENGINE)
                    : FilterResult.included("needs no guest");
        }
    }

    /** Begins and ends a set of claims for each discovery. */
    public static final class Scope implements LauncherDiscoveryListener {
        @Override
        public void launcherDiscoveryStarted(LauncherDiscoveryRequest request) {
            DISCOVERIES.get().push(new HashSet<>());
        }

        @Override
        public void launcherDiscoveryFinished(LauncherDiscoveryRequest request) {
            Deque<Set<UniqueId>> discoveries = DISCOVERIES.get();
            Set<UniqueId> ended = discoveries.pop();
            if (discoveries.isEmpty()) {
                DISCOVERIES.remove();
            } else {
                discoveries.element().addAll(ended);
            }
        }
    }
}
