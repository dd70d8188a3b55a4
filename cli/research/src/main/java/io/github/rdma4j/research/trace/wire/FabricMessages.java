// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace.wire;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.research.trace.wire.Capture.Frame;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Finds messages in packets of InfiniBand: of the connection manager, of subnet administration, and what the subnet
 * manager sets. Its questions, of which each sweep has many, are left out. A node is known by the IP address with which
 * its LID sends datagrams of IP over InfiniBand.
 */
final class FabricMessages {
    private static final int LRH_BYTES = 8;
    private static final int GRH_BYTES = 40;
    private static final int BTH_BYTES = 12;
    private static final int DETH_BYTES = 8;
    private static final int IPOIB_BYTES = 4;
    private static final int IPV4_SOURCE = 12;
    private static final int UD_SEND_ONLY = 0x64;
    private static final int QPN_MASK = 0xff_ffff;
    private static final int IPV4 = 0x0800;
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

    private final BiFunction<Long, ByteBuffer, Optional<WireMessage>> ipv4;

    /** The LID of subnet administration; -1 if nobody asks. */
    private final int manager;

    /** The transactions in which the subnet manager sets something. */
    private final Set<Long> settings = new HashSet<>();

    private record Packet(long time, int slid, int dlid, int queuePair, ByteBuffer payload) {}

    /**
     * Learns from frames who is who.
     *
     * @param ipv4 finds a message in an IPv4 packet of a time
     */
    FabricMessages(List<Frame> frames, BiFunction<Long, ByteBuffer, Optional<WireMessage>> ipv4) {
        this.ipv4 = ipv4;
        int asked = -1;
        for (Frame frame : frames) {
            Packet packet = packet(frame).orElse(null);
            if (packet != null && isIp(packet)) {
                byte[] address = new byte[4];
                packet.payload().get(IPOIB_BYTES + IPV4_SOURCE, address);
                nodes.putIfAbsent(packet.slid(), Gids.ipv4(address));
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

    private static boolean isIp(Packet packet) {
        return packet.queuePair() > 1
                && packet.payload().remaining() > IPOIB_BYTES + IPV4_SOURCE + Integer.BYTES
                && packet.payload().getShort(0) == IPV4;
    }

    /** The datagram in a packet; empty for all other packets. */
    private static Optional<Packet> packet(Frame frame) {
        ByteBuffer in = ByteBuffer.wrap(frame.bytes());
        if (in.remaining() < LRH_BYTES + GRH_BYTES + BTH_BYTES + DETH_BYTES) {
            return Optional.empty();
        }
        int transport = LRH_BYTES + ((in.get(1) & 3) == 3 ? GRH_BYTES : 0);
        int payload = transport + BTH_BYTES + DETH_BYTES;
        if (in.get(transport) != UD_SEND_ONLY || payload > in.limit()) {
            return Optional.empty();
        }
        return Optional.of(new Packet(
                frame.time(),
                Short.toUnsignedInt(in.getShort(6)),
                Short.toUnsignedInt(in.getShort(2)),
                in.getInt(transport + 4) & QPN_MASK,
                in.position(payload).slice()));
    }

    /** The message in a packet; empty for any other packet. */
    Optional<WireMessage> decode(Frame frame) {
        Optional<Packet> found = packet(frame);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Packet packet = found.get();
        if (packet.queuePair() > 1) {
            return isIp(packet)
                    ? ipv4.apply(
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
                default -> CmMad.decode(mad).map(cm -> message(packet, cm.type().name(), "", Optional.of(cm)));
            };
        } catch (MalformedReplyException e) {
            return Optional.empty();
        }
    }

    private WireMessage message(Packet packet, String name, String subject, Optional<CmMad> mad) {
        return new WireMessage(packet.time(), node(packet.slid()), node(packet.dlid()), name, subject, mad);
    }

    private String node(int lid) {
        return lid == manager ? WireMessage.MANAGER : nodes.getOrDefault(lid, "LID " + lid);
    }

    // ---- subnet administration

    private WireMessage administration(Packet packet, MadHeader header, ByteBuffer mad) {
        String status = header.status() == 0 ? "" : ", status 0x" + Integer.toHexString(header.status());
        String name = "SA " + SaMethods.name(header.method());
        String subject = SaAttributes.name(header.attributeId()) + details(header, mad) + status;
        return message(packet, name, subject, Optional.empty());
    }

    private static String details(MadHeader header, ByteBuffer mad) {
        boolean isAnswer = (header.method() & SaMethods.RESPONSE) != 0;
        byte[] gid = new byte[Gids.BYTES];
        return switch (header.attributeId()) {
            case SaAttributes.MC_MEMBER_RECORD -> {
                mad.get(SA_DATA, gid);
                String mlid = ", MLID 0x" + Integer.toHexString(Short.toUnsignedInt(mad.getShort(SA_DATA + 36)));
                yield isAnswer
                        ? mlid + ", state " + (mad.get(SA_DATA + 48) & 0xf)
                        : " " + Gids.text(gid).replaceFirst("(:0)+:", "::");
            }
            case SaAttributes.PATH_RECORD -> {
                mad.get(SA_DATA + 8, gid);
                yield isAnswer ? " to LID " + Short.toUnsignedInt(mad.getShort(SA_DATA + 40)) : " to " + Gids.text(gid);
            }
            default -> "";
        };
    }

    // ---- subnet management

    private Optional<WireMessage> subnet(Packet packet, MadHeader header, ByteBuffer mad) {
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
