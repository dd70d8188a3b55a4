// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Holds the guest's clock against this machine's over the time of the command. On a host so busy that the guest's kernel
 * took its time stamp counter for a slower or faster one, everything measured in the guest is wrong by that.
 */
public final class GuestClock {
    private static final double TOLERANCE = 0.1;

    /** On a busy host the messages may be delayed. The delay must be smaller than the tolerance. */
    private static final double LEAST_SECONDS = 10;

    private Duration hostStart = Duration.ZERO;
    private double guestStart = Double.NaN;
    private double ratio = 1;

    void started(Duration host, double guestSeconds) {
        hostStart = host;
        guestStart = guestSeconds;
    }

    void ended(Duration host, double guestSeconds) {
        double hostSeconds = host.minus(hostStart).toMillis() / 1000.0;
        double guest = guestSeconds - guestStart;
        if (Math.max(hostSeconds, guest) >= LEAST_SECONDS && hostSeconds > 0) {
            ratio = guest / hostSeconds;
        }
    }

    double ratio() {
        return ratio;
    }

    public static Optional<String> complaint(double ratio) {
        if (Math.abs(ratio - 1) <= TOLERANCE) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "the guest's clock ran at %.2f times this machine's: times measured in it are wrong, and limits came too"
                        + " %s",
                ratio,
                ratio > 1 ? "early" : "late"));
    }
}
