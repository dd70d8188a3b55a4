// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import io.github.rdma4j.lab.semantics.raw.RawCm;
import java.util.LinkedHashMap;
import java.util.Map;

/** An id in every state; each alone on a descriptor, with no event in the queue. */
final class IdsInAllStates {
    private IdsInAllStates() {}

    /** By the name of the state. */
    static Map<String, RawId> create(Trial s) throws Exception {
        Map<String, RawId> ids = new LinkedHashMap<>();
        ids.put("idle", s.tcp(s.open()));
        ids.put("wildcard listener", s.listener(s.tcp(s.open()), Net.fresh("0.0.0.0"), 4));
        ids.put("bound", s.bound(s.tcp(s.open()), Net.fresh()));
        ids.put("resolved", s.resolved(s.tcp(s.open()), Net.fresh()));
        ids.put("routed", s.routed(s.tcp(s.open()), Net.fresh()));
        ids.put("listening", s.listener(s.tcp(s.open()), Net.fresh(), 4));
        RawId connecting = s.routed(s.tcp(s.open()), Net.fresh(Net.DEAF));
        connecting.connect(Trial.param()).orFail("CONNECT");
        ids.put("connecting", connecting);
        Link requested = Link.requested(s);
        ids.put("child", moved(s, requested.passive()));
        Link established = Link.established(s);
        ids.put("active", moved(s, established.active()));
        ids.put("passive", moved(s, established.passive()));
        RawId member = s.bound(s.udp(s.open()), Net.fresh());
        member.join(MulticastCases.group(62), s.newUid(), 0).orFail("JOIN_MCAST");
        s.expect(member, "MULTICAST_JOIN");
        ids.put("member", member);
        return ids;
    }

    private static RawId moved(Trial s, RawId id) throws Exception {
        RawCm own = s.open();
        own.migrateId(id.handle(), id.cm()).orFail("MIGRATE_ID");
        return id.on(own);
    }
}
