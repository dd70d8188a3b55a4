// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace.wire;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.research.trace.wire.Capture.Frame;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds messages of the connection manager in frames: RoCEv2 (UDP port 4791 with BTH, DETH, and a MAD), reports of
 * IGMP, and the recorder's clock messages. On RoCE a join is a report of IGMP: no subnet manager keeps the groups.
 * {@link FabricMessages} finds those of InfiniBand.
 */
public final class WireMessages {
    private static final int ETHERNET_BYTES = 14;
    private static final int ETHER_TYPE = 12;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86dd;
    private static final int IPV6_BYTES = 40;
    private static final int PROTOCOL_IGMP = 2;
    private static final int PROTOCOL_UDP = 17;
    private static final int UDP_BYTES = 8;
    private static final int ROCE_PORT = 4791;
    private static final int DISCARD_PORT = 9;
    private static final int UD_SEND_ONLY = 0x64;
    private static final int BTH_BYTES = 12;
    private static final int DETH_BYTES = 8;
    private static final int GSI_QP = 1;
    private static final int QPN_MASK = 0xff_ffff;
    private static final int IGMP_V2_REPORT = 0x16;
    private static final int IGMP_V2_LEAVE = 0x17;
    private static final int IGMP_V3_REPORT = 0x22;
    private static final int TO_INCLUDE = 3;
    private static final String CLOCK_PREFIX = "rdma4j-clock ";

    private WireMessages() {}

    /** The messages in a capture file. */
    public static List<WireMessage> read(Path capture) throws IOException {
        List<WireMessage> messages = new ArrayList<>();
        List<Frame> frames = Capture.read(capture);
        FabricMessages fabric =
                new FabricMessages(frames.stream().filter(Frame::isInfiniBand).toList(), WireMessages::ipv4);
        for (Frame frame : frames) {
            (frame.isInfiniBand() ? fabric.decode(frame) : decode(frame)).ifPresent(messages::add);
        }
        return messages;
    }

    /** The message in a frame; empty for any other frame, and for a frame that is cut off. */
    public static Optional<WireMessage> decode(Frame frame) {
        ByteBuffer in = ByteBuffer.wrap(frame.bytes());
        try {
            return switch (Short.toUnsignedInt(in.getShort(ETHER_TYPE))) {
                case IPV4 -> ipv4(frame.time(), in.position(ETHERNET_BYTES).slice());
                case IPV6 -> ipv6(frame.time(), in.position(ETHERNET_BYTES).slice());
                default -> Optional.empty();
            };
        } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private record Packet(long time, String source, String destination, ByteBuffer payload) {
        WireMessage message(String name, String subject) {
            return new WireMessage(time, source, destination, name, subject, Optional.empty());
        }
    }

    private static Optional<WireMessage> ipv4(long time, ByteBuffer in) {
        int headerBytes = (in.get(0) & 0xf) * Integer.BYTES;
        int end = Math.min(Short.toUnsignedInt(in.getShort(2)), in.limit());
        ByteBuffer payload = in.duplicate().limit(end).position(headerBytes).slice();
        Packet packet = new Packet(time, address(in, 12, 4), address(in, 16, 4), payload);
        return switch (in.get(9)) {
            case PROTOCOL_UDP -> udp(packet);
            case PROTOCOL_IGMP -> igmp(packet);
            default -> Optional.empty();
        };
    }

    private static Optional<WireMessage> ipv6(long time, ByteBuffer in) {
        ByteBuffer payload = in.duplicate().position(IPV6_BYTES).slice();
        Packet packet = new Packet(time, address(in, 8, 16), address(in, 24, 16), payload);
        return in.get(6) == PROTOCOL_UDP ? udp(packet) : Optional.empty();
    }

    private static Optional<WireMessage> udp(Packet packet) {
        ByteBuffer in = packet.payload();
        int port = Short.toUnsignedInt(in.getShort(2));
        ByteBuffer payload = in.duplicate().position(UDP_BYTES).slice();
        if (port == DISCARD_PORT) {
            return clock(packet, payload);
        }
        return port == ROCE_PORT ? mad(packet, payload) : Optional.empty();
    }

    private static Optional<WireMessage> clock(Packet packet, ByteBuffer in) {
        String text = StandardCharsets.US_ASCII.decode(in).toString();
        if (!text.startsWith(CLOCK_PREFIX)) {
            return Optional.empty();
        }
        String[] words = text.trim().split(" ", -1);
        return words.length == 3 ? Optional.of(packet.message(WireMessage.CLOCK, words[2])) : Optional.empty();
    }

    private static Optional<WireMessage> mad(Packet packet, ByteBuffer in) {
        int destinationQp = in.getInt(4) & QPN_MASK;
        if (in.get(0) != UD_SEND_ONLY || destinationQp != GSI_QP) {
            return Optional.empty();
        }
        byte[] mad = new byte[MadHeader.MAD_BYTES];
        in.get(BTH_BYTES + DETH_BYTES, mad);
        return CmMad.decode(mad)
                .map(message -> new WireMessage(
                        packet.time(),
                        packet.source(),
                        packet.destination(),
                        message.type().name(),
                        "",
                        Optional.of(message)));
    }

    private static Optional<WireMessage> igmp(Packet packet) {
        ByteBuffer in = packet.payload();
        return switch (in.get(0)) {
            case IGMP_V2_REPORT -> Optional.of(packet.message(WireMessage.JOIN, address(in, 4, 4)));
            case IGMP_V2_LEAVE -> Optional.of(packet.message(WireMessage.LEAVE, address(in, 4, 4)));
            case IGMP_V3_REPORT -> {
                // Of several records in a report the first is shown: the kernel sends one when a program joins or
                // leaves.
                boolean isLeave = in.get(8) == TO_INCLUDE;
                yield Optional.of(packet.message(isLeave ? WireMessage.LEAVE : WireMessage.JOIN, address(in, 12, 4)));
            }
            default -> Optional.empty();
        };
    }

    private static String address(ByteBuffer in, int at, int length) {
        byte[] bytes = new byte[length];
        in.get(at, bytes);
        try {
            return InetAddress.getByAddress(bytes).getHostAddress();
        } catch (java.net.UnknownHostException e) {
            throw new AssertionError("4 or 16 bytes are an address", e);
        }
    }
}
