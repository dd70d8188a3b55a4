// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.fabric;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32;

/** An InfiniBand packet from its local route header to its invariant CRC. */
final class IbPacket {
    static final int PERMISSIVE_LID = 0xffff;
    static final int FIRST_MULTICAST_LID = 0xc000;

    private static final int LRH_BYTES = 8;
    private static final int GRH_BYTES = 40;
    private static final int BTH_BYTES = 12;
    private static final int DETH_BYTES = 8;
    private static final int CRC_BYTES = 4;
    private static final int SLID = 6;
    private static final int DLID = 2;
    private static final int WORDS = 4;
    private static final int VL15 = 0xf0;
    private static final int NEXT_TRANSPORT = 2;
    private static final int NEXT_GRH = 3;
    private static final int SEND_ONLY = 0x64;
    private static final int DEFAULT_PKEY = 0xffff;
    private static final int QPN_MASK = 0xffffff;

    private final byte[] bytes;
    private final ByteBuffer buffer;
    private boolean made;

    private IbPacket(byte[] bytes) {
        this.bytes = bytes;
        buffer = ByteBuffer.wrap(bytes);
    }

    /** Takes a packet out of a frame; empty if the bytes are no packet. Bytes after the packet are padding. */
    static Optional<IbPacket> read(byte[] frame, int offset, int end) {
        int least = LRH_BYTES + BTH_BYTES + CRC_BYTES;
        if (end - offset < least || (frame[offset] & 0xf) != 0 || (frame[offset + 1] & NEXT_TRANSPORT) == 0) {
            return Optional.empty();
        }
        int length = (ByteBuffer.wrap(frame).getShort(offset + WORDS) & 0x7ff) * Integer.BYTES;
        int grh = (frame[offset + 1] & NEXT_GRH) == NEXT_GRH ? GRH_BYTES : 0;
        return length < least + grh || length > end - offset
                ? Optional.empty()
                : Optional.of(new IbPacket(Arrays.copyOfRange(frame, offset, offset + length)));
    }

    /** A management datagram of a switch, for queue pair 0 or 1. */
    static IbPacket management(int slid, int dlid, int queuePair, int qkey, byte[] mad) {
        int length = LRH_BYTES + BTH_BYTES + DETH_BYTES + mad.length + CRC_BYTES;
        ByteBuffer packet = ByteBuffer.allocate(length);
        packet.put((byte) (queuePair == 0 ? VL15 : 0)).put((byte) NEXT_TRANSPORT);
        packet.putShort((short) dlid).putShort((short) (length / Integer.BYTES)).putShort((short) slid);
        packet.put((byte) SEND_ONLY)
                .put((byte) 0)
                .putShort((short) DEFAULT_PKEY)
                .putInt(queuePair)
                .putInt(0);
        packet.putInt(qkey).putInt(queuePair == 0 ? 0 : 1).put(mad);
        IbPacket result = new IbPacket(packet.array());
        result.seal();
        result.make();
        return result;
    }

    /** Turns a packet of a node into one of the switch. */
    void make() {
        made = true;
    }

    /** Whether a switch has made this packet, and no node has sent it. */
    boolean isMade() {
        return made;
    }

    /** The bytes of this packet, which are not a copy. */
    byte[] bytes() {
        return bytes;
    }

    int words() {
        return bytes.length / Integer.BYTES;
    }

    int slid() {
        return buffer.getShort(SLID) & 0xffff;
    }

    int dlid() {
        return buffer.getShort(DLID) & 0xffff;
    }

    /** Replaces both LIDs by the permissive one. */
    void withoutLids() {
        buffer.putShort(SLID, (short) PERMISSIVE_LID).putShort(DLID, (short) PERMISSIVE_LID);
    }

    boolean isMulticast() {
        return dlid() >= FIRST_MULTICAST_LID && dlid() != PERMISSIVE_LID;
    }

    /** Whether this is a packet of subnet management, which travels on a lane of its own. */
    boolean isSubnetManagement() {
        return (bytes[0] & VL15) == VL15;
    }

    int queuePair() {
        return buffer.getInt(transport() + Integer.BYTES) & QPN_MASK;
    }

    /** The queue pair that has sent this datagram. */
    int sourceQueuePair() {
        return buffer.getInt(transport() + BTH_BYTES + Integer.BYTES) & QPN_MASK;
    }

    int qkey() {
        return buffer.getInt(transport() + BTH_BYTES);
    }

    /** The management datagram in this packet; empty if the packet has none. */
    Optional<Mad> mad() {
        int offset = transport() + BTH_BYTES + DETH_BYTES;
        boolean complete = (bytes[transport()] & 0xff) == SEND_ONLY && bytes.length == offset + Mad.BYTES + CRC_BYTES;
        return complete ? Optional.of(new Mad(buffer, offset)) : Optional.empty();
    }

    /** Clears bits of CapabilityMask2 if this is what subnet administration answers about itself. */
    void hideCapabilities(int bits) {
        if (bits != 0 && !isMulticast() && queuePair() == 1) {
            mad().filter(Mad::isAdministrationInfo).ifPresent(mad -> {
                mad.hideCapabilities(bits);
                seal();
            });
        }
    }

    /** Computes the invariant CRC again, after a change of the packet. */
    void seal() {
        buffer.putInt(bytes.length - CRC_BYTES, Integer.reverseBytes(invariantCrc()));
    }

    boolean isIntact() {
        return buffer.getInt(bytes.length - CRC_BYTES) == Integer.reverseBytes(invariantCrc());
    }

    private int transport() {
        return LRH_BYTES + (hasGrh() ? GRH_BYTES : 0);
    }

    private boolean hasGrh() {
        return (bytes[1] & NEXT_GRH) == NEXT_GRH;
    }

    /** With ones in place of what a switch or router changes: lane, traffic class, flow label, hop limit, a reserved byte. */
    private int invariantCrc() {
        byte[] masked = Arrays.copyOf(bytes, bytes.length - CRC_BYTES);
        masked[0] |= (byte) VL15;
        if (hasGrh()) {
            masked[LRH_BYTES] |= 0xf;
            Arrays.fill(masked, LRH_BYTES + 1, LRH_BYTES + Integer.BYTES, (byte) 0xff);
            masked[LRH_BYTES + 7] = (byte) 0xff;
        }
        masked[transport() + Integer.BYTES] = (byte) 0xff;
        CRC32 crc = new CRC32();
        crc.update(masked);
        return (int) crc.getValue();
    }
}
