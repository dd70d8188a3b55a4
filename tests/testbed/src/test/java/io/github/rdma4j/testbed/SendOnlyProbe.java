// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.JoinRequest;
import io.github.rdma4j.sm.MulticastGid;
import io.github.rdma4j.sm.MulticastGroups;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;

/** Joins groups as a send-only full member in each way there is, and prints what the subnet manager then knows. */
final class SendOnlyProbe {
    private static final long SM_KEY = 1;

    private SendOnlyProbe() {}

    /** The arguments are the address of this node and the first three bytes of the groups. */
    public static void main(String[] arguments) throws Exception {
        try (SaClient client = SaClient.open("softib0", 1)) {
            System.out.println(
                    "announced " + client.classPortInfo().orElseThrow().supportsSendOnlyFullMember());
            MulticastGroups groups = new MulticastGroups(client);
            joinById(groups, arguments[0], arguments[1] + ".1");
            joinByRequest(groups);
            joinByDatagram(groups, arguments[0], InetAddress.getByName(arguments[1] + ".2"));
        }
    }

    private static void joinById(MulticastGroups groups, String address, String group) throws Exception {
        Gid mgid = MulticastGid.rdmaCm(InetAddress.getByName(group), 0xffff, MulticastGid.SCOPE_LINK)
                .gid();
        try (EventChannel channel = EventChannel.open();
                CmId id = channel.createId(PortSpace.UDP)) {
            id.bind(new InetSocketAddress(address, 0));
            begin(id, new InetSocketAddress(group, 0));
            CmEvent event = channel.awaitEvent(Duration.ofSeconds(20)).orElseThrow();
            System.out.println("id " + event.type() + " " + event.status() + " " + groups.membership(mgid, SM_KEY));
            event.ack();
        }
    }

    /** Waits for IP over InfiniBand, without whose group no id can join one. */
    private static void begin(CmId id, InetSocketAddress group) throws RdmaException {
        while (true) {
            try {
                GroupMembership unused = id.multicast().join(group, GroupMembership.Mode.SEND_ONLY_FULL_MEMBER);
                return;
            } catch (ErrnoException e) {
                if (!e.errno().equals(Errno.EADDRNOTAVAIL)) {
                    throw e;
                }
            }
        }
    }

    /** IP over InfiniBand joins a group to which a datagram is sent. */
    private static void joinByDatagram(MulticastGroups groups, String address, InetAddress group) throws Exception {
        Gid mgid = MulticastGid.ipoib(group, 0xffff, MulticastGid.SCOPE_LINK).gid();
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(address, 0))) {
            socket.send(new DatagramPacket(new byte[1], 1, group, 9));
            while (groups.membership(mgid, SM_KEY).isEmpty()) {
                Thread.sleep(20);
            }
        }
        System.out.println("datagram " + groups.membership(mgid, SM_KEY));
    }

    private static void joinByRequest(MulticastGroups groups) throws InterruptedException {
        Gid mgid = new Gid(0xff12_401b_ffff_0000L, 0x0500_0001);
        try {
            McMemberRecord unused = groups.join(JoinRequest.creating(
                    mgid, JoinState.SEND_ONLY_FULL_MEMBER, McMemberRecord.newGroup(0x0b1b, 0xffff)));
            System.out.println("request " + groups.membership(mgid, SM_KEY));
            groups.leave(mgid, Set.of(JoinState.SEND_ONLY_FULL_MEMBER));
        } catch (RdmaException e) {
            System.out.println("request " + e.getMessage());
        }
    }
}
