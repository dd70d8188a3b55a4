// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.datagram;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The header of a message over UDP ({@code struct ds_udp_header} of rsocket.c), by which a sender names its queue pair.
 * Big endian:
 *
 * <pre>{@code
 * 0  0x55555555
 * 4  version, 4 or 6
 * 5  operation: 0 a datagram follows, 7 nothing follows
 * 6  length of the header, 16 or 28
 * 7  0
 * 8  number of the queue pair, 24 bits
 * 12 address
 * }</pre>
 *
 * @param carriesDatagram whether a datagram follows, and the sender waits for an introduction in return
 * @param qpn the number of the sender's queue pair
 * @param length the length of the header
 */
record Introduction(boolean carriesDatagram, int qpn, int length) {
    static final int IPV4_BYTES = 16;
    static final int IPV6_BYTES = 28;

    private static final int TAG = 0x55555555;
    private static final int VERSION = 4;
    private static final int OPERATION = 5;
    private static final int LENGTH = 6;
    private static final int QPN = 8;
    private static final int QPN_MASK = 0xff_ffff;
    private static final byte DATA = 0;
    private static final byte CONTROL = 7;

    /** Appends the header that introduces the queue pair {@code qpn} at {@code sender}. */
    static void put(ByteBuffer out, InetAddress sender, int qpn, boolean carriesDatagram) {
        boolean ipv4 = sender instanceof Inet4Address;
        out.putInt(TAG)
                .put((byte) (ipv4 ? 4 : 6))
                .put(carriesDatagram ? DATA : CONTROL)
                .put((byte) (ipv4 ? IPV4_BYTES : IPV6_BYTES))
                .put((byte) 0)
                .putInt(qpn & QPN_MASK)
                .put(sender.getAddress());
    }

    /** The header at the beginning of a big-endian message from an address of the family of {@code sender}, if it is valid. */
    static Optional<Introduction> of(ByteBuffer in, InetAddress sender) {
        boolean ipv4 = sender instanceof Inet4Address;
        int length = ipv4 ? IPV4_BYTES : IPV6_BYTES;
        boolean valid = in.limit() >= length
                && in.getInt(0) == TAG
                && in.get(VERSION) == (ipv4 ? 4 : 6)
                && in.get(LENGTH) == length;
        return valid
                ? Optional.of(new Introduction(in.get(OPERATION) == DATA, in.getInt(QPN) & QPN_MASK, length))
                : Optional.empty();
    }
}
