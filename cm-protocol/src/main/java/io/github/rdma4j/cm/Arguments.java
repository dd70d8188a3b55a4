// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;

/** What is asked of arguments before the kernel sees them. */
final class Arguments {
    private Arguments() {}

    static void requireResolved(SocketAddress address) {
        if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new IllegalArgumentException("the name " + inet.getHostString() + " has no address");
        }
    }

    /** A time limit as the kernel takes it. */
    static int millis(Duration timeout) {
        long millis;
        try {
            millis = timeout.toMillis();
        } catch (ArithmeticException centuries) {
            millis = timeout.isNegative() ? 0 : Integer.MAX_VALUE;
        }
        if (millis <= 0) {
            throw new IllegalArgumentException(
                    "a timeout of " + timeout + ": the kernel counts in milliseconds from 1");
        }
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }
}
