// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.card;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the port is connected to: itself. Datagrams find their way by the address vector, as on a RoCE v2 network. */
final class Network {
    private static final int QKEY = 0;
    private static final int DESTINATION = 8;
    private static final int EXTENDED = 0x8000_0000;
    private static final int QPN_MASK = 0xff_ffff;
    private static final int UDP_PORT = 14;
    private static final int LOWEST_UDP_PORT = 0xc000;
    private static final int MAC = 20;
    private static final int MAC_BYTES = 6;
    private static final int HOP_LIMIT = 27;
    private static final int GRH = 28;
    private static final int GRH_PRESENT = 1 << 30;
    private static final int SGID_SHIFT = 20;
    private static final int U8 = 0xff;
    private static final int DGID = 32;

    private final Complaints complaints;
    private final List<byte[]> gids = new ArrayList<>();
    private final Map<String, Set<Integer>> groups = new HashMap<>();

    Network(Complaints complaints) {
        this.complaints = complaints;
    }

    void addGid(byte[] gid) {
        gids.add(gid.clone());
    }

    void attach(byte[] group, int qpn) {
        groups.computeIfAbsent(text(group), none -> new HashSet<>()).add(qpn);
    }

    boolean detach(byte[] group, int qpn) {
        Set<Integer> members = groups.get(text(group));
        return members != null && members.remove(qpn);
    }

    private static String text(byte[] gid) {
        return HexFormat.of().formatHex(gid);
    }

    /** The queue pairs that a datagram reaches; none when there is something wrong with its address. */
    Collection<CardQp> receivers(CardQp sender, ByteBuffer vector, Map<Integer, CardQp> all) {
        byte[] gid = new byte[Grh.GID_BYTES];
        vector.get(DGID, gid);
        byte[] mac = new byte[MAC_BYTES];
        vector.get(MAC, mac);
        int udpPort = Short.toUnsignedInt(vector.getShort(UDP_PORT));
        int grh = vector.getInt(GRH);
        if ((vector.getInt(DESTINATION) & EXTENDED) == 0 || udpPort < LOWEST_UDP_PORT || (grh & GRH_PRESENT) != 0) {
            complaints.add(
                    String.format("QP 0x%x: no address vector of RoCE v2: UDP port 0x%x", sender.qpn(), udpPort));
            return List.of();
        }
        if (sgid(vector) >= gids.size() || text(Grh.mac(gid)).compareTo(text(mac)) != 0) {
            complaints.add(String.format("QP 0x%x: the MAC %s is not that of %s", sender.qpn(), text(mac), text(gid)));
            return List.of();
        }
        List<CardQp> receivers = new ArrayList<>();
        if (Grh.isMulticast(gid)) {
            groups.getOrDefault(text(gid), Set.of()).forEach(qpn -> add(receivers, all.get(qpn)));
        } else if (gids.stream().anyMatch(own -> Arrays.equals(own, gid))) {
            add(receivers, all.get(vector.getInt(DESTINATION) & QPN_MASK));
        }
        int qkey = vector.getInt(QKEY);
        int sent = qkey < 0 ? sender.attributes().qkey() : qkey;
        receivers.removeIf(each -> !each.is(QueuePairSpec.UD)
                || !each.isReady()
                || each.attributes().qkey() != sent);
        return receivers;
    }

    private static void add(List<CardQp> receivers, @Nullable CardQp qp) {
        if (qp != null) {
            receivers.add(qp);
        }
    }

    private static int sgid(ByteBuffer vector) {
        return vector.getInt(GRH) >>> SGID_SHIFT & U8;
    }

    /** The 40 bytes in front of a received datagram. */
    byte[] header(ByteBuffer vector, int payload) {
        byte[] destination = new byte[Grh.GID_BYTES];
        vector.get(DGID, destination);
        Grh header = new Grh(gids.get(sgid(vector)), destination, vector.get(HOP_LIMIT - 1), vector.get(HOP_LIMIT));
        return header.bytes(payload, vector.getInt(GRH) & (1 << SGID_SHIFT) - 1);
    }

    /** Addresses of the network, and the header that the device puts in front of a received datagram. */
    static final class Grh {
        static final int BYTES = 40;
        static final int GID_BYTES = 16;

        private static final int IPV4_AT = 20;
        private static final int IPV4_BYTES = 20;
        private static final int IPV4_IN_GID = 12;
        private static final int UDP = 17;
        private static final int VERSION_6 = 6 << 28;
        private static final int BTH_BYTES = 12;

        private final byte[] source;
        private final byte[] destination;
        private final byte trafficClass;
        private final byte hopLimit;

        Grh(byte[] source, byte[] destination, byte trafficClass, byte hopLimit) {
            this.source = source;
            this.destination = destination;
            this.trafficClass = trafficClass;
            this.hopLimit = hopLimit;
        }

        /** The hardware address of this network that goes with a GID. */
        static byte[] mac(byte[] gid) {
            return new byte[] {2, gid[11], gid[12], gid[13], gid[14], gid[15]};
        }

        static boolean isIpv4(byte[] gid) {
            return ByteBuffer.wrap(gid).getLong() == 0 && gid[10] == -1 && gid[11] == -1;
        }

        static boolean isMulticast(byte[] gid) {
            return gid[0] == -1 || (isIpv4(gid) && (gid[IPV4_IN_GID] & 0xf0) == 0xe0);
        }

        /** The header of a datagram with {@code payload} bytes. */
        byte[] bytes(int payload, int flowLabel) {
            ByteBuffer header = ByteBuffer.allocate(BYTES);
            if (isIpv4(destination)) {
                header.position(IPV4_AT);
                header.put((byte) 0x45).put(trafficClass).putShort((short) (IPV4_BYTES + BTH_BYTES + payload));
                header.putInt(0).put(hopLimit).put((byte) UDP).putShort((short) 0);
                header.put(source, IPV4_IN_GID, Integer.BYTES).put(destination, IPV4_IN_GID, Integer.BYTES);
            } else {
                header.putInt(VERSION_6 | Byte.toUnsignedInt(trafficClass) << 20 | flowLabel);
                header.putShort((short) (BTH_BYTES + payload)).put((byte) UDP).put(hopLimit);
                header.put(source).put(destination);
            }
            return header.array();
        }
    }
}
