// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;

/** Checks addresses and times before they are passed to the kernel. */
final class Arguments {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

    private Arguments() {}

    static void requireResolved(SocketAddress address) throws UnresolvedNameException {
        if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new UnresolvedNameException(inet);
        }
    }

    static int inRange(int value, int max, String name) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be from 0 to " + max);
        }
        return value;
    }

    static int backlog(int requests) {
        if (requests < 0) {
            throw new IllegalArgumentException(
                    "the backlog is " + requests + "; it must be 0 or more, where 0 is the kernel's maximum");
        }
        return requests;
    }

    /** Converts a time to milliseconds for the kernel; longer times become {@link Integer#MAX_VALUE}. */
    static int millis(Duration timeout) {
        if (timeout.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("the timeout is " + timeout + "; it must be 1 ms or more");
        }
        return (int) atMost(timeout, LONGEST).toMillis();
    }

    /**
     * Returns the time to wait for the event of an operation with the given kernel timeout: longer than the timeout.
     */
    static Duration untilEventOf(Duration timeout) {
        return atMost(timeout, LONGEST).multipliedBy(2).plusSeconds(1);
    }

    private static Duration atMost(Duration time, Duration longest) {
        return time.compareTo(longest) < 0 ? time : longest;
    }
}
