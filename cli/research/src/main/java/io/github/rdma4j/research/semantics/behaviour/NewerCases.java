// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import static io.github.rdma4j.research.semantics.behaviour.Behaviour.quick;

import io.github.rdma4j.research.semantics.guest.Adapter;
import io.github.rdma4j.research.semantics.raw.Answer;
import io.github.rdma4j.research.semantics.raw.RawEvent;
import java.net.InetSocketAddress;
import java.util.List;

/** Newer and rarer: cases 86 to 94. */
final class NewerCases {
    private static final int ESTABLISHED = 9;
    private static final int USER = 18;
    private static final long ARG = 0x1122334455667788L;

    private NewerCases() {}

    static List<Behaviour> all() {
        return List.of(
                quick("C86", "an event of the program's own", NewerCases::userEvent),
                quick("C87", "the services of InfiniBand", s -> {
                    s.see("unbound", s.client.resolveIbService(s.tcp().handle(), 1, "", 1));
                    RawId bound = s.bound(s.tcp(), Net.fresh());
                    s.see("bound", s.client.resolveIbService(bound.handle(), 1, "", 1));
                }),
                quick("C90", "an id in another network namespace", s -> s.see(Helper.run("namespace", Adapter.IPV4))),
                quick("C91", "a connection over IPv6", NewerCases::ipv6),
                quick("C92", "GET_EVENT is interrupted by a signal", s -> s.see(Helper.run("signal", Adapter.IPV4))));
    }

    private static void userEvent(Trial s) throws Exception {
        RawId id = s.bound(s.tcp(), Net.fresh());
        Answer answer = s.client.writeCmEvent(id.handle(), USER, 7, ARG);
        s.see("USER", answer);
        if (answer.isOk()) {
            RawEvent event = s.event(id);
            s.see(event.text() + ", arg as written: " + (event.arg() == ARG));
        }
        s.see("ESTABLISHED", s.client.writeCmEvent(id.handle(), ESTABLISHED, 0, 0));
    }

    private static void ipv6(Trial s) throws Exception {
        InetSocketAddress address = Net.fresh(Adapter.IPV6);
        RawId listener = s.listener(s.tcp(s.server), address, 4);
        RawId active = s.routed(s.tcp(), address);
        s.see("sgid fd77::1: " + active.sgidIs(Adapter.IPV6) + ", dgid fd77::1: " + active.dgidIs(Adapter.IPV6));
        active.connect(Trial.param()).orFail("CONNECT");
        RawId passive = s.request(listener);
        passive.accept(Trial.param()).orFail("ACCEPT");
        s.see(s.event(active).text());
        active.establish().orFail("ACCEPT without parameters");
        s.see(s.event(passive).text());
    }
}
