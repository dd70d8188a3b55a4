// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * What one receiver has got. Messages of rdma4j carry a number and contents that follow from it, and so are verified; those
 * of a C sender hold whatever its memory held, and only their length and their sender's number are. Used by one thread.
 */
final class Tally {
    private final int expected;
    private final int size;
    private final Set<Source> seen = new HashSet<>();
    private int received;
    private int verified;
    private int foreign;
    private int duplicates;
    private int damaged;

    /** Waits for {@code expected} messages of {@code size} bytes. */
    Tally(int expected, int size) {
        this.expected = expected;
        this.size = size;
    }

    private record Source(Gid gid, int qpn, int number) {}

    /**
     * Counts a message.
     *
     * @param message its contents without the header
     * @param from the GID that it came from
     * @param qpn the queue pair that it came from
     * @param claimed the queue pair that it says it came from, which is what every sender sends along
     */
    void count(ByteBuffer message, Gid from, int qpn, int claimed) {
        received++;
        if (message.limit() != size || claimed != qpn) {
            damaged++;
            return;
        }
        try {
            int number = TestMessage.numberOf(message);
            if (number == TestMessage.FOREIGN) {
                foreign++;
            } else if (seen.add(new Source(from, qpn, number))) {
                verified++;
            } else {
                duplicates++;
            }
        } catch (RdmaException e) {
            damaged++;
        }
    }

    /** True when as many have come as were waited for. */
    boolean isComplete() {
        return received >= expected;
    }

    int received() {
        return received;
    }

    /** How many are missing. */
    int lost() {
        return Math.max(0, expected - received);
    }

    /** True when something is missing, came twice or is not as it was sent. */
    boolean isBad() {
        return lost() + duplicates + damaged > 0;
    }

    @Override
    public String toString() {
        return received + " of " + expected + " messages received, " + lost() + " lost, " + verified + " verified, "
                + foreign + " of another program, " + duplicates + " duplicate, " + damaged + " damaged";
    }
}
