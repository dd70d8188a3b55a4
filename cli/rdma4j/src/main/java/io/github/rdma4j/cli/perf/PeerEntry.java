// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * What a side tells about its queue pair and its memory, as perftest's message holds it: 56 bytes long, or 64 since perftest tells one
 * more address, for what {@code perf} does not do. The message serves as a point to meet as well: both sides exchange it again before and
 * after what they measure.
 *
 * @param outstandingReads reads that the side allows
 * @param qpn the queue pair of the test
 * @param rkey the key of the memory
 * @param address where the peer may write, read and add
 * @param gid the address of the port
 */
record PeerEntry(int outstandingReads, int qpn, int rkey, long address, Gid gid) {
    static final int BYTES = 56;

    /** With the further address. */
    static final int LONG_BYTES = 64;

    /** What both sides send as long as there is no queue pair. */
    static final PeerEntry NONE = new PeerEntry(0, 0, 0, 0, new Gid(0, 0));

    private static final int OUTSTANDING_READS = 4;
    private static final int QPN = 8;
    private static final int RKEY = 16;
    private static final int ADDRESS = 24;
    private static final int GID_FROM_END = 24;

    /** The message of {@code length} bytes. LID, PSN and SRQ number are 0: the connection manager has exchanged them already. */
    ByteBuffer encode(int length) {
        int at = length - GID_FROM_END;
        return ByteBuffer.allocate(length)
                .putInt(OUTSTANDING_READS, outstandingReads)
                .putInt(QPN, qpn)
                .putInt(RKEY, rkey)
                .putLong(ADDRESS, address)
                .putLong(at, gid.prefix())
                .putLong(at + Long.BYTES, gid.interfaceId());
    }

    /** Reads the message of a peer, of either length. */
    static PeerEntry decode(ByteBuffer message) {
        int at = message.capacity() - GID_FROM_END;
        return new PeerEntry(
                message.getInt(OUTSTANDING_READS),
                message.getInt(QPN),
                message.getInt(RKEY),
                message.getLong(ADDRESS),
                new Gid(message.getLong(at), message.getLong(at + Long.BYTES)));
    }

    /** As perftest prints it. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "QPN %#08x RKey %#010x VAddr %#018x GID %s", qpn, rkey, address, gid);
    }
}
