// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.internal.ucm.UdParam;
import io.github.rdma4j.research.semantics.raw.Answer;
import io.github.rdma4j.research.semantics.raw.RawEvent;
import java.util.List;

/** Groups: cases 74 to 85. */
final class MulticastCases {
    /** LIDs from here on are those of groups. */
    static final int FIRST_MLID = 0xc000;

    private MulticastCases() {}

    /** A group with this last octet. */
    static String group(int last) {
        return "239.1.2." + last;
    }

    static List<Behaviour> all() {
        return List.of(
                quick("C74", "a group is joined", MulticastCases::join),
                quick("C75", "a member that only sends", s -> {
                    RawId id = s.bound(s.udp(), Net.fresh());
                    id.join(group(4), s.newUid(), 1).orFail("JOIN_MCAST");
                    s.see(s.event(id).text());
                    s.see("member: " + Net.isMember(group(4)));
                }),
                quick("C76", "joins that are refused", MulticastCases::refused),
                quick("C77", "two receivers, one sender", MulticastData::twoReceivers),
                quick("C79", "left before the join's event is fetched", s -> {
                    RawId id = s.bound(s.udp(), Net.fresh());
                    int join = id.join(group(9), s.newUid(), 0).first();
                    s.see("LEAVE_MCAST reports " + s.client.leaveMcast(join).first());
                    s.see(Trial.names(s.eventsBeforeFence(s.client)));
                }),
                quick("C81", "a group is joined twice", MulticastCases::twice),
                quick("C82", "a queue pair made after the join", MulticastData::attachedLater),
                quick("C83", "an id with memberships is destroyed", s -> {
                    RawId id = s.bound(s.udp(), Net.fresh());
                    id.join(group(13), s.newUid(), 0).orFail("JOIN_MCAST");
                    s.expect(id, "MULTICAST_JOIN");
                    s.see("member: " + Net.isMember(group(13)));
                    s.see("DESTROY_ID", id.destroy());
                    s.see("member: " + Net.isMember(group(13)));
                }),
                quick("C84", "an address that is no group", MulticastData::unicast));
    }

    private static void join(Trial s) throws Exception {
        RawId id = s.bound(s.udp(), Net.fresh());
        long uid = s.newUid();
        Answer answer = id.join(group(3), uid, 0);
        s.see("JOIN_MCAST", answer);
        RawEvent event = s.event(id);
        UdParam ud = event.ud();
        s.see(event.text() + ", uid of the join: " + (event.uid() == uid && event.id() == answer.first())
                + ", dgid ::ffff:239.1.2.3: "
                + ud.ahAttr().dgid().equals(Net.gid(group(3))) + ", qp_num 0x"
                + Integer.toHexString(ud.qpNum()) + ", qkey 0x" + Integer.toHexString(ud.qkey()) + ", hop limit "
                + ud.ahAttr().hopLimit() + ", dlid "
                + (ud.ahAttr().dlid() >= FIRST_MLID ? "of a group" : ud.ahAttr().dlid()) + ", private data "
                + ud.privateData().length);
        s.see("member: " + Net.isMember(group(3)));
    }

    private static void refused(Trial s) throws Exception {
        s.see("unbound", s.udp().join(group(6), s.newUid(), 0));
        s.see("PS_TCP", s.bound(s.tcp(), Net.fresh()).join(group(6), s.newUid(), 0));
        s.see("with a route", s.routed(s.udp(), Net.fresh()).join(group(6), s.newUid(), 0));
        RawId id = s.bound(s.udp(), Net.fresh());
        s.see("flags 2", id.join(group(6), s.newUid(), 2));
        s.see("0.0.0.0", id.join("0.0.0.0", s.newUid(), 0));
        s.see("ff0e::1", id.join("ff0e::1", s.newUid(), 0));
    }

    private static void twice(Trial s) throws Exception {
        RawId id = s.bound(s.udp(), Net.fresh());
        int one = id.join(group(11), s.newUid(), 0).first();
        int two = id.join(group(11), s.newUid(), 0).first();
        s.see("two joins: " + (one != two));
        s.see(s.event(id).text() + ", " + s.event(id).text());
        s.see("leave", s.client.leaveMcast(one));
        s.see("leave", s.client.leaveMcast(two));
        s.see("leave", s.client.leaveMcast(two));
    }
}
