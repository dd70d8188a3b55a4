// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * The messages of one receiver. The content of a message of rdma4j depends on its number and is verified; of a message
 * of a C program, only the length and the sender's number. For one thread.
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

    /** Expects {@code expected} messages of {@code size} bytes. */
    Tally(int expected, int size) {
        this.expected = expected;
        this.size = size;
    }

    private record Source(Gid gid, int qpn, int number) {}

    /**
     * Counts a message.
     *
     * @param message its contents without the header
     * @param from the source GID
     * @param qpn the source queue pair
     * @param claimed the source queue pair according to the message
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

    boolean isComplete() {
        return received >= expected;
    }

    int received() {
        return received;
    }

    int lost() {
        return Math.max(0, expected - received);
    }

    /** True if a message is missing, duplicated or damaged. */
    boolean isBad() {
        return lost() + duplicates + damaged > 0;
    }

    @Override
    public String toString() {
        return received + " of " + expected + " messages received, " + lost() + " lost, " + verified + " verified, "
                + foreign + " of another program, " + duplicates + " duplicate, " + damaged + " damaged";
    }
}
