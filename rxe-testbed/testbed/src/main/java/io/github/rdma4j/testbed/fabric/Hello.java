// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.fabric;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A frame with which the two ends of a link find each other, as in {@code softib.c}.
 *
 * @param flags {@link #SWITCH}, {@link #BYE}, {@link #RETRAIN}
 * @param width the width of the link as in PortInfo; 0 from an adapter, which takes what the switch says
 * @param speed the speed of the link as in PortInfo
 * @param partner the MAC address of the other end in the low 48 bits; 0 if the sender knows none
 * @param port the number of the sending port
 * @param guid the GUID of the sending port
 */
record Hello(int flags, int width, int speed, long partner, int port, long guid) {
    static final int SWITCH = 1;
    static final int BYE = 2;
    static final int RETRAIN = 4;

    static final int BYTES = 24;

    private static final int MAGIC = 0x49426c6b;
    private static final int VERSION = 1;
    private static final long MAC = 0xffff_ffff_ffffL;
    private static final int PARTNER = 8;

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    static Optional<Hello> read(byte[] frame, int offset, int end) {
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        if (end - offset < BYTES || bytes.getInt(offset) != MAGIC || frame[offset + 4] != VERSION) {
            return Optional.empty();
        }
        // The two bytes before the address are the width and the speed.
        long partner = bytes.getLong(offset + PARTNER - 2) & MAC;
        return Optional.of(new Hello(
                frame[offset + 5] & 0xff,
                frame[offset + 6] & 0xff,
                frame[offset + 7] & 0xff,
                partner,
                bytes.getShort(offset + 14) & 0xffff,
                bytes.getLong(offset + 16)));
    }

    void write(ByteBuffer to) {
        to.putInt(MAGIC).put((byte) VERSION).put((byte) flags).put((byte) width).put((byte) speed);
        to.putShort((short) (partner >>> Integer.SIZE)).putInt((int) partner);
        to.putShort((short) port).putLong(guid);
    }
}
