// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.lab.semantics.raw.RawEvent;
import java.util.List;

/** Service id resolution for datagrams: cases 71 to 73. */
final class DatagramCases {
    private DatagramCases() {}

    static List<Behaviour> all() {
        return List.of(
                quick(
                        "C71",
                        "a datagram peer is found",
                        "CONNECT_REQUEST, 180 bytes: true; ACCEPT OK; A ESTABLISHED, 136 bytes: true, qp_num as accepted:"
                                + " true, qkey 0x1234567, dgid ::ffff:10.77.0.1: true; P no event",
                        DatagramCases::found),
                quick(
                        "C72",
                        "nobody listens, or does not want to",
                        "nobody UNREACHABLE(1); rejected UNREACHABLE(2)",
                        s -> {
                            RawId lost = s.routed(s.udp(), Net.fresh());
                            lost.connect(Trial.param()).orFail("CONNECT");
                            s.see("nobody " + s.event(lost).text());
                            RawId listener = s.listener(s.udp(s.server), Net.fresh(), 4);
                            RawId active = s.routed(s.udp(), listener.local());
                            active.connect(Trial.param()).orFail("CONNECT");
                            s.server.reject(s.request(listener).handle()).orFail("REJECT");
                            s.see("rejected " + s.event(active).text());
                        }),
                quick("C73", "too much private data", "181 bytes EINVAL; 180 bytes OK", s -> {
                    RawId active = s.routed(s.udp(), Net.fresh());
                    s.see("181 bytes", active.connect(Trial.param(Trial.bytes(181))));
                    s.see("180 bytes", active.connect(Trial.param(Trial.bytes(180))));
                }));
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
                + established.ud().ahAttr().dgid().equals(io.github.rdma4j.verbs.attr.Gid.of(active.localIp())));
        s.seeRest("P", s.server);
    }
}
