// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import io.github.rdma4j.kernel.RdmaException;

/** How many messages each side has sent, and how many it may have sent, since the connection was made. */
final class Credits {
    /** The receives of a peer that data leaves to other messages, and those of them that grants leave to the ends. */
    static final int NOT_FOR_DATA = 4;

    private static final int NOT_FOR_GRANTS = 2;

    /** A grant is worth a message of its own when this part of the receives can be granted. */
    private static final int PART = 4;

    private final int receives;

    // What this side receives.

    private long received;
    private long posted;
    private long told;

    // What this side sends.

    private long sent;
    private long allowed;
    private long peerReceives;

    /** All receives are posted, and the private data tells. */
    Credits(int receives) {
        this.receives = receives;
        posted = receives;
        told = receives;
    }

    void begin(int receivesOfPeer) {
        peerReceives = receivesOfPeer;
        allowed = receivesOfPeer;
    }

    /** A message with this grant has come. */
    void received(long granted) throws RdmaException {
        received++;
        if (received > told) {
            throw Header.lie("message " + received + ", and was granted " + told);
        }
        if (granted < allowed || granted > sent + peerReceives) {
            throw Header.lie("a grant of " + Long.toUnsignedString(granted) + " messages after one of " + allowed
                    + ", has " + peerReceives + " receives, and was sent " + sent + " messages");
        }
        allowed = granted;
    }

    /** A receive was posted again. */
    void reposted() {
        posted++;
    }

    /** The number of messages that the peer may have sent, for the next header. */
    long tell() {
        sent++;
        told = posted;
        return posted;
    }

    boolean mayData() {
        return allowed - sent > NOT_FOR_DATA;
    }

    boolean mayGrant() {
        return allowed - sent > NOT_FOR_GRANTS;
    }

    boolean mayEnd() {
        return allowed > sent;
    }

    boolean owesGrant() {
        return posted - told >= receives / PART;
    }

    @Override
    public String toString() {
        return "sent " + sent + " of " + allowed + " messages, received " + received + " of " + told + ", could grant "
                + (posted - told);
    }
}
