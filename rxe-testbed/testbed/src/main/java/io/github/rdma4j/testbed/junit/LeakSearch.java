// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Looks after each test of a class for what the test leaves open, and names the tests when the class has ended. */
final class LeakSearch {
    private final OpenResources before = OpenResources.now();
    private final ReentrantLock lock = new ReentrantLock();

    /** What is open and was not before the class, and the test after which it was seen first. */
    private final Map<String, String> firstSeen = new LinkedHashMap<>();

    LeakSearch() throws IOException, InterruptedException {}

    /** A test has ended. What is still open may be closed by the class. */
    void look(String test) throws IOException, InterruptedException {
        lock.lock();
        try {
            Map<String, String> open = OpenResources.now().without(before);
            firstSeen.keySet().retainAll(open.keySet());
            open.keySet().forEach(name -> firstSeen.putIfAbsent(name, "first seen after " + test));
        } finally {
            lock.unlock();
        }
    }

    /**
     * The class, or the only test, has ended.
     *
     * @throws AssertionError if something was left open
     */
    void end(String whole) throws IOException, InterruptedException {
        Map<String, String> left = OpenResources.leftSince(before);
        if (!left.isEmpty()) {
            StringBuilder text = new StringBuilder(whole).append(" left open:");
            left.forEach((name, line) -> text.append("\n  ")
                    .append(line)
                    .append(" (")
                    .append(firstSeen.getOrDefault(name, "not there after any test"))
                    .append(')'));
            throw new AssertionError(text.toString());
        }
    }
}
