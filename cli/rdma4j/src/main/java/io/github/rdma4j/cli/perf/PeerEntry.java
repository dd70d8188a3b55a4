// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * The perftest message about the queue pair and the memory of a side: 56 bytes, or 64 in newer versions, with another
 * address that {@code perf} does not use. Both sides also exchange the message before and after a measurement, to
 * synchronize.
 *
 * @param outstandingReads the number of outstanding reads that the side accepts
 * @param address the address of the memory that the peer writes, reads and adds to
 * @param gid the address of the port
 */
record PeerEntry(int outstandingReads, int qpn, int rkey, long address, Gid gid) {
    static final int BYTES = 56;

    /** The length with the additional address. */
    static final int LONG_BYTES = 64;

    /** The message of both sides before queue pairs exist. */
    static final PeerEntry NONE = new PeerEntry(0, 0, 0, 0, new Gid(0, 0));

    private static final int OUTSTANDING_READS = 4;
    private static final int QPN = 8;
    private static final int RKEY = 16;
    private static final int ADDRESS = 24;
    private static final int GID_FROM_END = 24;

    /**
     * Encodes the message in {@code length} bytes. LID, PSN and SRQ number are 0, because the connection manager has
     * exchanged them.
     */
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

    /** Decodes the message of a peer, of either length. */
    static PeerEntry decode(ByteBuffer message) {
        int at = message.capacity() - GID_FROM_END;
        return new PeerEntry(
                message.getInt(OUTSTANDING_READS),
                message.getInt(QPN),
                message.getInt(RKEY),
                message.getLong(ADDRESS),
                new Gid(message.getLong(at), message.getLong(at + Long.BYTES)));
    }

    /** Returns the format of perftest. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "QPN %#08x RKey %#010x VAddr %#018x GID %s", qpn, rkey, address, gid);
    }
}
