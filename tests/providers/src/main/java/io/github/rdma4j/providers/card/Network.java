// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

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
    Collection<CardQp> receivers(CardQp sender, Destination to, Map<Integer, CardQp> all) {
        byte[] gid = to.gid();
        if (to.qpn() == Destination.NOWHERE) {
            return List.of();
        }
        if (to.route().sourceGid() >= gids.size() || !Arrays.equals(Grh.mac(gid), to.mac())) {
            complaints.add(
                    String.format("QP 0x%x: the MAC %s is not that of %s", sender.qpn(), text(to.mac()), text(gid)));
            return List.of();
        }
        List<CardQp> receivers = new ArrayList<>();
        if (Grh.isMulticast(gid)) {
            groups.getOrDefault(text(gid), Set.of()).forEach(qpn -> add(receivers, all.get(qpn)));
        } else if (gids.stream().anyMatch(own -> Arrays.equals(own, gid))) {
            add(receivers, all.get(to.qpn()));
        }
        int sent = to.qkey() < 0 ? sender.attributes().qkey() : to.qkey();
        receivers.removeIf(each ->
                !each.is(QpSpec.UD) || !each.isReady() || each.attributes().qkey() != sent);
        return receivers;
    }

    private static void add(List<CardQp> receivers, @Nullable CardQp qp) {
        if (qp != null) {
            receivers.add(qp);
        }
    }

    /** The 40 bytes in front of a received datagram. */
    byte[] header(Destination to, int payload) {
        Grh header = new Grh(
                gids.get(to.route().sourceGid()),
                to.gid(),
                to.route().trafficClass(),
                to.route().hopLimit());
        return header.bytes(payload, to.route().flowLabel());
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
