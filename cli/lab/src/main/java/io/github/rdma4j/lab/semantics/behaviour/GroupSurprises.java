// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.elsewhere;
import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.library;
import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.like;
import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.internal.ucm.SetOption.OptionNames;
import io.github.rdma4j.internal.ucm.UdParam;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.util.List;

/** Groups and datagrams: surprises 91 to 105; names: surprises 106 to 112. */
final class GroupSurprises {
    private static final String ATTACH = "As in C: CmMulticast.join says so, and QueuePair.attachMulticast does it.";
    private static final String MATCH = "CmMulticast compares address and port; a GroupMembership leaves itself.";
    private static final String TWICE = "CmMulticast detaches with the last membership of a group.";
    private static final String READY = "CmId.createQp does the same.";
    private static final String NAMES = "rdma4j takes resolved addresses and asks no ibacm; ";

    private GroupSurprises() {}

    static List<Behaviour> all() {
        return List.of(
                like("S91", "no join once there is a route", "C76"),
                like("S92", "a queue pair made after the join is not attached", "C82")
                        .here(ATTACH),
                library("S93", "leave compares the bytes of addresses", "EADDRNOTAVAIL", MATCH),
                library("S94", "joined twice, left once", "detached although still a member", TWICE),
                elsewhere(
                        "S95",
                        "MULTICAST_ERROR with status 0",
                        "the type counts",
                        "on RoCE the join has no answer that" + " could fail: no InfiniBand link"),
                elsewhere(
                        "S96",
                        "MULTICAST_ERROR after MULTICAST_JOIN",
                        "the membership is gone",
                        "no subnet manager that" + " could end a membership: no InfiniBand link"),
                like("S97", "the netdev leaves the group", "C83"),
                like("S98", "IPv6 groups", "C76"),
                quick(
                        "S99",
                        "a datagram request tells neither queue pair nor address",
                        "qp_num 0, qkey 0, address empty: true",
                        s -> {
                            RawId listener = s.listener(s.udp(s.server), Net.fresh(), 4);
                            s.routed(s.udp(), listener.local())
                                    .connect(Trial.param())
                                    .orFail("CONNECT");
                            UdParam ud = s.expect(listener, "CONNECT_REQUEST").ud();
                            s.see("qp_num " + ud.qpNum() + ", qkey " + ud.qkey() + ", address empty: "
                                    + ud.ahAttr().equals(AhAttr.NONE));
                        }),
                like("S100", "a datagram rejection is UNREACHABLE", "C72"),
                like("S101", "a datagram accept names its queue pair", "C71"),
                library(
                        "S102",
                        "post_ud_send takes one queue key always",
                        "wrong for PS_IPOIB",
                        "SendWorkRequest takes the" + " queue key of each datagram."),
                library(
                        "S103",
                        "create_qp of a datagram id goes to RTS",
                        "there is no ESTABLISHED to wait for",
                        READY + " The attributes are F20."),
                quick("S104", "the type of service of groups", "traffic class of the address 0", s -> {
                    RawId id = s.bound(s.udp(), Net.fresh());
                    id.setByte(OptionNames.RDMA_OPTION_ID_TOS, 0x68).orFail("TOS");
                    id.join(MulticastCases.group(31), s.newUid(), 0).orFail("JOIN_MCAST");
                    s.see(
                            "traffic class of the address",
                            s.expect(id, "MULTICAST_JOIN").ud().ahAttr().trafficClass());
                }),
                quick(
                        "S105",
                        "a datagram larger than the path's MTU",
                        "1024 bytes SUCCESS, received SUCCESS 1064; 1025 bytes refused before they are posted",
                        MulticastData::tooLarge),
                library(
                        "S106",
                        "getaddrinfo's first answer is the only one",
                        "may be unusable",
                        NAMES + "java.net gives all of them."),
                library("S107", "EAI errors are returned", "negative, errno unset", NAMES + "java.net throws."),
                library("S108", "flags of hints are lost", "only PASSIVE is kept", NAMES + "there are no hints."),
                library("S109", "one lock for all names", "a slow query stalls all", NAMES + "there is no lock."),
                library("S110", "ibacm hangs", "resolve_route blocks", NAMES + "routes come from the kernel."),
                library("S111", "resolve_addrinfo loses errno", "-1", NAMES + "there is no resolve_addrinfo."),
                library(
                        "S112",
                        "resolve_addrinfo before the last result is fetched",
                        "EBUSY",
                        NAMES + "there is no resolve_addrinfo."));
    }
}
