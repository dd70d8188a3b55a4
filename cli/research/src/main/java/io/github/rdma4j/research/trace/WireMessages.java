// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.research.trace.Capture.Frame;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
                new FabricMessages(frames.stream().filter(Frame::isInfiniBand).toList());
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
        Packet packet = new Packet(time, CmMad.address(in, 12, 4), CmMad.address(in, 16, 4), payload);
        return switch (in.get(9)) {
            case PROTOCOL_UDP -> udp(packet);
            case PROTOCOL_IGMP -> igmp(packet);
            default -> Optional.empty();
        };
    }

    private static Optional<WireMessage> ipv6(long time, ByteBuffer in) {
        ByteBuffer payload = in.duplicate().position(IPV6_BYTES).slice();
        Packet packet = new Packet(time, CmMad.address(in, 8, 16), CmMad.address(in, 24, 16), payload);
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
            case IGMP_V2_REPORT -> Optional.of(packet.message(WireMessage.JOIN, CmMad.address(in, 4, 4)));
            case IGMP_V2_LEAVE -> Optional.of(packet.message(WireMessage.LEAVE, CmMad.address(in, 4, 4)));
            case IGMP_V3_REPORT -> {
                // Of several records in a report the first is shown: the kernel sends one when a program joins or
                // leaves.
                boolean isLeave = in.get(8) == TO_INCLUDE;
                yield Optional.of(
                        packet.message(isLeave ? WireMessage.LEAVE : WireMessage.JOIN, CmMad.address(in, 12, 4)));
            }
            default -> Optional.empty();
        };
    }

    /**
     * Finds messages in packets of InfiniBand: of the connection manager, of subnet administration, and what the subnet
     * manager sets. Its questions, of which each sweep has many, are left out. A node is known by the IP address with which
     * its LID sends datagrams of IP over InfiniBand.
     */
    private static final class FabricMessages {
        private static final int LRH_BYTES = 8;
        private static final int GRH_BYTES = 40;
        private static final int IPOIB_BYTES = 4;
        private static final int IPV4_SOURCE = 12;
        private static final int SUBNET = 0x01;
        private static final int SUBNET_DIRECTED = 0x81;
        private static final int ADMINISTRATION = 0x03;
        private static final int TRAP = 5;
        private static final int TRAP_REPRESS = 7;
        private static final int DIRECTION = 0x8000;
        private static final int HOP_COUNT = 7;
        private static final int PATH = 128;
        private static final int SA_DATA = 56;
        private static final Map<Integer, String> SUBNET_ATTRIBUTES = Map.of(
                0x02, "Notice",
                0x12, "SwitchInfo",
                0x14, "GUIDInfo",
                0x15, "PortInfo",
                0x16, "P_KeyTable",
                0x17, "SLtoVLMappingTable",
                0x18, "VLArbitrationTable",
                0x19, "LinearForwardingTable",
                0x1b, "MulticastForwardingTable");

        /** The IP addresses of nodes by their LIDs. */
        private final Map<Integer, String> nodes = new HashMap<>();

        /** The LID of subnet administration; -1 if nobody asks. */
        private final int manager;

        /** The transactions in which the subnet manager sets something. */
        private final Set<Long> settings = new HashSet<>();

        private record Datagram(long time, int slid, int dlid, int queuePair, ByteBuffer payload) {}

        /** Learns from frames who is who. */
        FabricMessages(List<Frame> frames) {
            int asked = -1;
            for (Frame frame : frames) {
                Datagram packet = packet(frame).orElse(null);
                if (packet != null && isIp(packet)) {
                    nodes.putIfAbsent(
                            packet.slid(), CmMad.address(packet.payload(), IPOIB_BYTES + IPV4_SOURCE, Integer.BYTES));
                } else if (packet != null && isQuestion(packet.payload())) {
                    asked = packet.dlid();
                }
            }
            manager = asked;
        }

        private static boolean isQuestion(ByteBuffer mad) {
            return mad.remaining() >= MadHeader.MAD_BYTES
                    && mad.get(MadHeader.Layout.MANAGEMENT_CLASS) == ADMINISTRATION
                    && (mad.get(MadHeader.Layout.METHOD) & SaMethods.RESPONSE) == 0;
        }

        private static boolean isIp(Datagram packet) {
            return packet.queuePair() > 1
                    && packet.payload().remaining() > IPOIB_BYTES + IPV4_SOURCE + Integer.BYTES
                    && packet.payload().getShort(0) == IPV4;
        }

        /** The datagram in a packet; empty for all other packets. */
        private static Optional<Datagram> packet(Frame frame) {
            ByteBuffer in = ByteBuffer.wrap(frame.bytes());
            if (in.remaining() < LRH_BYTES + GRH_BYTES + BTH_BYTES + DETH_BYTES) {
                return Optional.empty();
            }
            int transport = LRH_BYTES + ((in.get(1) & 3) == 3 ? GRH_BYTES : 0);
            int payload = transport + BTH_BYTES + DETH_BYTES;
            if (in.get(transport) != UD_SEND_ONLY || payload > in.limit()) {
                return Optional.empty();
            }
            return Optional.of(new Datagram(
                    frame.time(),
                    Short.toUnsignedInt(in.getShort(6)),
                    Short.toUnsignedInt(in.getShort(2)),
                    in.getInt(transport + 4) & QPN_MASK,
                    in.position(payload).slice()));
        }

        /** The message in a packet; empty for any other packet. */
        Optional<WireMessage> decode(Frame frame) {
            Optional<Datagram> found = packet(frame);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            Datagram packet = found.get();
            if (packet.queuePair() > 1) {
                return isIp(packet)
                        ? ipv4(
                                        packet.time(),
                                        packet.payload().position(IPOIB_BYTES).slice())
                                .filter(message -> message.name().equals(WireMessage.CLOCK))
                        : Optional.empty();
            }
            if (packet.payload().remaining() < MadHeader.MAD_BYTES) {
                return Optional.empty();
            }
            byte[] mad = new byte[MadHeader.MAD_BYTES];
            packet.payload().get(0, mad);
            try {
                MadHeader header = MadHeader.decode(ByteBuffer.wrap(mad));
                return switch (header.managementClass()) {
                    case SUBNET, SUBNET_DIRECTED -> subnet(packet, header, ByteBuffer.wrap(mad));
                    case ADMINISTRATION -> Optional.of(administration(packet, header, ByteBuffer.wrap(mad)));
                    default ->
                        CmMad.decode(mad).map(cm -> message(packet, cm.type().name(), "", Optional.of(cm)));
                };
            } catch (MalformedReplyException e) {
                return Optional.empty();
            }
        }

        private WireMessage message(Datagram packet, String name, String subject, Optional<CmMad> mad) {
            return new WireMessage(packet.time(), node(packet.slid()), node(packet.dlid()), name, subject, mad);
        }

        private String node(int lid) {
            return lid == manager ? WireMessage.MANAGER : nodes.getOrDefault(lid, "LID " + lid);
        }

        // ---- subnet administration

        private WireMessage administration(Datagram packet, MadHeader header, ByteBuffer mad) {
            String status = header.status() == 0 ? "" : ", status 0x" + Integer.toHexString(header.status());
            String name = "SA " + SaMethods.name(header.method());
            String subject = SaAttributes.name(header.attributeId()) + details(header, mad) + status;
            return message(packet, name, subject, Optional.empty());
        }

        private static String details(MadHeader header, ByteBuffer mad) {
            boolean isAnswer = (header.method() & SaMethods.RESPONSE) != 0;
            return switch (header.attributeId()) {
                case SaAttributes.MC_MEMBER_RECORD -> {
                    String mlid = ", MLID 0x" + Integer.toHexString(Short.toUnsignedInt(mad.getShort(SA_DATA + 36)));
                    yield isAnswer
                            ? mlid + ", state " + (mad.get(SA_DATA + 48) & 0xf)
                            : " " + CmMad.gid(mad, SA_DATA).replaceFirst("(:0)+:", "::");
                }
                case SaAttributes.PATH_RECORD ->
                    " to "
                            + (isAnswer
                                    ? "LID " + Short.toUnsignedInt(mad.getShort(SA_DATA + 40))
                                    : CmMad.gid(mad, SA_DATA + 8));
                default -> "";
            };
        }

        // ---- subnet management

        private Optional<WireMessage> subnet(Datagram packet, MadHeader header, ByteBuffer mad) {
            boolean directed = header.managementClass() == SUBNET_DIRECTED;
            boolean returns = directed && (header.status() & DIRECTION) != 0;
            String method;
            switch (header.method()) {
                case SaMethods.SET -> {
                    settings.add(header.transactionId());
                    method = "Set";
                }
                case SaMethods.GET_RESP -> {
                    if (!settings.contains(header.transactionId())) {
                        return Optional.empty();
                    }
                    method = "GetResp";
                }
                case TRAP -> method = "Trap";
                case TRAP_REPRESS -> method = "TrapRepress";
                default -> {
                    return Optional.empty();
                }
            }
            String attribute = SUBNET_ATTRIBUTES.getOrDefault(header.attributeId(), "other");
            String other = directed ? end(mad) : packet.queuePair() == 0 ? WireMessage.SWITCH : "";
            String source = returns || header.method() == TRAP ? other : WireMessage.MANAGER;
            String destination = source.equals(other) ? WireMessage.MANAGER : other;
            return Optional.of(
                    new WireMessage(packet.time(), source, destination, "SMP " + method, attribute, Optional.empty()));
        }

        /** Who is at the end of a directed route: a switch, or the node at a port of it. */
        private static String end(ByteBuffer mad) {
            int hops = mad.get(HOP_COUNT) & 0xff;
            return hops == 2 ? "10.77.0." + mad.get(PATH + 2) : WireMessage.SWITCH;
        }
    }
}
