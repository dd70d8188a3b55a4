// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.OptionalInt;

/** A frame that a node has sent. Fields of more than a byte are in network byte order in {@link #bytes}. */
public final class EthernetFrame {
    /** The UDP port of RoCE version 2. */
    public static final int ROCE_PORT = 4791;

    private static final int TYPE_OFFSET = 12;
    private static final int HEADER_BYTES = 14;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86dd;
    private static final int IPV6_HEADER_BYTES = 40;
    private static final int UDP = 17;
    private static final int UDP_HEADER_BYTES = 8;
    private static final int BTH_BYTES = 12;

    private final Instant time;
    private final byte[] bytes;

    EthernetFrame(Instant time, byte[] bytes) {
        this.time = time;
        this.bytes = bytes;
    }

    /** When the hub of the testbed received the frame, by the clock of this machine. */
    public Instant time() {
        return time;
    }

    /** The frame from the destination address on, without preamble and checksum; a new array at every call. */
    public byte[] bytes() {
        return bytes.clone();
    }

    byte[] content() {
        return bytes;
    }

    /** The EtherType, such as 0x0800 for IPv4; 0 in a frame that is too short for one. */
    public int etherType() {
        return bytes.length < HEADER_BYTES ? 0 : unsignedShort(TYPE_OFFSET);
    }

    /** The destination port of a UDP datagram over IPv4, or over IPv6 without extension headers. */
    public OptionalInt udpPort() {
        int udp = udpOffset();
        return udp < 0 ? OptionalInt.empty() : OptionalInt.of(unsignedShort(udp + 2));
    }

    /** The opcode of the base transport header, such as 0x64 for a datagram of a management agent; empty if it is no RoCE. */
    public OptionalInt roceOpcode() {
        int header = transportOffset();
        return header < 0 ? OptionalInt.empty() : OptionalInt.of(bytes[header] & 0xff);
    }

    /** The destination queue pair of the base transport header; 1 is that of the connection manager. */
    public OptionalInt roceQueuePair() {
        int header = transportOffset();
        return header < 0
                ? OptionalInt.empty()
                : OptionalInt.of(ByteBuffer.wrap(bytes).getInt(header + 4) & 0xffffff);
    }

    private int transportOffset() {
        int udp = udpOffset();
        boolean roce =
                udp >= 0 && unsignedShort(udp + 2) == ROCE_PORT && bytes.length >= udp + UDP_HEADER_BYTES + BTH_BYTES;
        return roce ? udp + UDP_HEADER_BYTES : -1;
    }

    private int udpOffset() {
        int offset = -1;
        if (etherType() == IPV4 && bytes.length > HEADER_BYTES + 9 && bytes[HEADER_BYTES + 9] == UDP) {
            offset = HEADER_BYTES + (bytes[HEADER_BYTES] & 0xf) * Integer.BYTES;
        } else if (etherType() == IPV6 && bytes.length > HEADER_BYTES + 6 && bytes[HEADER_BYTES + 6] == UDP) {
            offset = HEADER_BYTES + IPV6_HEADER_BYTES;
        }
        return bytes.length >= offset + UDP_HEADER_BYTES ? offset : -1;
    }

    private int unsignedShort(int offset) {
        return ByteBuffer.wrap(bytes).getShort(offset) & 0xffff;
    }

    @Override
    public String toString() {
        return String.format("%s frame of %d bytes, type 0x%04x", time, bytes.length, etherType());
    }
}
