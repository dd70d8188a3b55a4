// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * What a side tells about its queue pair and its memory, as perftest's 56-byte message holds it. The message serves as a point
 * to meet as well: both sides exchange it again before and after what they measure.
 *
 * @param outstandingReads reads that the side allows
 * @param qpn the queue pair of the test
 * @param rkey the key of the memory
 * @param address where the peer may write, read and add
 * @param gid the address of the port
 */
record PeerEntry(int outstandingReads, int qpn, int rkey, long address, Gid gid) {
    static final int BYTES = 56;

    /** What both sides send as long as there is no queue pair. */
    static final PeerEntry NONE = new PeerEntry(0, 0, 0, 0, new Gid(0, 0));

    private static final int OUTSTANDING_READS = 4;
    private static final int QPN = 8;
    private static final int RKEY = 16;
    private static final int ADDRESS = 24;
    private static final int GID = 32;

    /** The message. LID, PSN and SRQ number are 0: the connection manager has exchanged them already. */
    ByteBuffer encode() {
        return ByteBuffer.allocate(BYTES)
                .putInt(OUTSTANDING_READS, outstandingReads)
                .putInt(QPN, qpn)
                .putInt(RKEY, rkey)
                .putLong(ADDRESS, address)
                .putLong(GID, gid.prefix())
                .putLong(GID + Long.BYTES, gid.interfaceId());
    }

    /** Reads the message of a peer. */
    static PeerEntry decode(ByteBuffer message) {
        return new PeerEntry(
                message.getInt(OUTSTANDING_READS),
                message.getInt(QPN),
                message.getInt(RKEY),
                message.getLong(ADDRESS),
                new Gid(message.getLong(GID), message.getLong(GID + Long.BYTES)));
    }

    /** As perftest prints it. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "QPN %#08x RKey %#010x VAddr %#018x GID %s", qpn, rkey, address, gid);
    }
}
