// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.fabric;

import io.github.rdma4j.testbed.machine.PcapFile;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;

/** The cable between a node and a port of a switch: frames on the side of the node, packets on the other. */
final class NodeCable {
    static final int PACKET_TYPE = PcapFile.INFINIBAND_TYPE;
    static final int HELLO_TYPE = 0x88b6;

    private static final int MAC_BYTES = 6;
    private static final int HEADER_BYTES = 14;
    private static final long MAC_OF_PORTS = 0x5254_004e_0000L;

    private final IbSwitch end;
    private final int port;
    private final long mac;
    private final Consumer<byte[]> toNode;
    private long nodeMac;
    private boolean cut;

    NodeCable(IbSwitch end, int port, Consumer<byte[]> toNode) {
        this.end = end;
        this.port = port;
        this.toNode = toNode;
        mac = MAC_OF_PORTS | end.chassis().number() << 8 | port;
    }

    IbSwitch end() {
        return end;
    }

    int port() {
        return port;
    }

    /** Takes a hello frame of the node. */
    void hello(byte[] frame, int length) {
        Hello hello = Hello.read(frame, HEADER_BYTES, length).orElse(null);
        if (hello == null || hello.has(Hello.SWITCH)) {
            return;
        }
        nodeMac = ByteBuffer.wrap(frame).getLong(MAC_BYTES) >>> Short.SIZE;
        if (!isOpen()) {
            return;
        }
        if (hello.has(Hello.BYE)) {
            end.linkDown(port);
            return;
        }
        if (hello.partner() != mac || hello.has(Hello.RETRAIN)) {
            end.linkDown(port);
        }
        if (hello.partner() == mac) {
            end.linkUp(port);
        }
        say(0);
    }

    /** Takes a packet of the node. */
    void packet(byte[] frame, int length) {
        if (!isOpen()) {
            return;
        }
        IbPacket.read(frame, HEADER_BYTES, length)
                .ifPresentOrElse(
                        packet -> end.receive(port, packet),
                        () -> end.chassis().port(port).counters.count(PortCounters.Kind.RECEIVE_ERRORS));
    }

    /** Sends a packet to the node. */
    void send(IbPacket packet) {
        byte[] frame = header(PACKET_TYPE, packet.bytes().length);
        System.arraycopy(packet.bytes(), 0, frame, HEADER_BYTES, packet.bytes().length);
        toNode.accept(frame);
    }

    /** The node has gone. */
    void gone() {
        end.linkDown(port);
    }

    void cut() {
        cut = true;
        close();
    }

    void mend() {
        cut = false;
        open();
    }

    /** Ends the link for as long as it is cut or switched off. */
    void close() {
        say(Hello.BYE);
        end.linkDown(port);
    }

    /** Asks the node to take up the link, which its hello does. */
    void open() {
        if (isOpen()) {
            say(0);
        }
    }

    /** Takes the link down and up at both ends, with another width perhaps. */
    void retrain() {
        if (isOpen() && end.chassis().port(port).state() != SwitchPort.DOWN) {
            end.linkDown(port);
            end.linkUp(port);
            say(Hello.RETRAIN);
        }
    }

    private boolean isOpen() {
        return !cut && !end.chassis().port(port).isDisabled();
    }

    private void say(int flags) {
        if (nodeMac == 0) {
            return;
        }
        SwitchPort own = end.chassis().port(port);
        byte[] frame = header(HELLO_TYPE, Hello.BYTES);
        new Hello(
                        flags | Hello.SWITCH,
                        own.width(),
                        SwitchPort.SPEED_QDR,
                        nodeMac,
                        port,
                        end.chassis().guid())
                .write(ByteBuffer.wrap(frame).position(HEADER_BYTES));
        toNode.accept(frame);
    }

    private byte[] header(int type, int length) {
        byte[] frame = new byte[HEADER_BYTES + length];
        ByteBuffer.wrap(frame)
                .putLong(0, nodeMac << Short.SIZE)
                .putLong(MAC_BYTES, mac << Short.SIZE)
                .putShort(2 * MAC_BYTES, (short) type);
        return frame;
    }

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
            to.putInt(MAGIC)
                    .put((byte) VERSION)
                    .put((byte) flags)
                    .put((byte) width)
                    .put((byte) speed);
            to.putShort((short) (partner >>> Integer.SIZE)).putInt((int) partner);
            to.putShort((short) port).putLong(guid);
        }
    }
}
