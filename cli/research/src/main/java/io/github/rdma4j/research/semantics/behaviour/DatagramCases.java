// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.internal.ucm.SetOption.OptionNames;
import io.github.rdma4j.internal.ucm.UdParam;
import io.github.rdma4j.research.semantics.raw.RawEvent;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import java.util.List;

/** Datagrams: cases 71 to 73, surprises 91 to 105. */
final class DatagramCases {
    private DatagramCases() {}

    static List<Behaviour> all() {
        return List.of(
                quick("C71", "a datagram peer is found", DatagramCases::found),
                quick("C72", "nobody listens, or does not want to", s -> {
                    RawId lost = s.connecting(s.udp(), Net.fresh());
                    s.see("nobody " + s.event(lost).text());
                    RawId listener = s.listener(s.udp(s.server), Net.fresh(), 4);
                    RawId active = s.connecting(s.udp(), listener.local());
                    s.server.reject(s.request(listener).handle()).orFail("REJECT");
                    s.see("rejected " + s.event(active).text());
                }),
                quick("C73", "too much private data", s -> {
                    RawId active = s.routed(s.udp(), Net.fresh());
                    s.see("181 bytes", active.connect(Trial.param(Trial.bytes(181))));
                    s.see("180 bytes", active.connect(Trial.param(Trial.bytes(180))));
                }),
                quick("S99", "a datagram request tells neither queue pair nor address", s -> {
                    RawId listener = s.listener(s.udp(s.server), Net.fresh(), 4);
                    s.connecting(s.udp(), listener.local());
                    UdParam ud = s.expect(listener, "CONNECT_REQUEST").ud();
                    s.see("qp_num " + ud.qpNum() + ", qkey " + ud.qkey() + ", address empty: "
                            + ud.ahAttr().equals(AhAttr.NONE));
                }),
                quick("S104", "the type of service of groups", s -> {
                    RawId id = s.bound(s.udp(), Net.fresh());
                    id.setByte(OptionNames.RDMA_OPTION_ID_TOS, 0x68).orFail("TOS");
                    id.join(MulticastCases.group(31), s.newUid(), 0).orFail("JOIN_MCAST");
                    s.see(
                            "traffic class of the address",
                            s.expect(id, "MULTICAST_JOIN").ud().ahAttr().trafficClass());
                }),
                quick("S105", "a datagram larger than the path's MTU", MulticastData::tooLarge));
    }

    private static void found(Trial s) throws Exception {
        RawId listener = s.listener(s.udp(s.server), Net.fresh(), 4);
        RawId active = s.routed(s.udp(), listener.local());
        byte[] question = Trial.bytes(180);
        active.connect(Trial.param(question)).orFail("CONNECT");
        RawEvent request = s.event(listener);
        byte[] received = request.ud().privateData();
        s.see(request.text() + ", 180 bytes: " + (received.length == 180 && Trial.isPadded(received, question)));
        byte[] answer = Trial.bytes(136);
        var param = Trial.param(answer);
        s.see("ACCEPT", s.child(request, s.server).accept(param));
        RawEvent established = s.event(active);
        received = established.ud().privateData();
        s.see("A " + established.text() + ", 136 bytes: "
                + (received.length == 136 && Trial.isPadded(received, answer)) + ", qp_num as accepted: "
                + (established.ud().qpNum() == param.qpNum()) + ", qkey 0x"
                + Integer.toHexString(established.ud().qkey()) + ", dgid ::ffff:10.77.0.1: "
                + established.ud().ahAttr().dgid().equals(Gid.of(active.localIp())));
        s.seeRest("P", s.server);
    }
}
