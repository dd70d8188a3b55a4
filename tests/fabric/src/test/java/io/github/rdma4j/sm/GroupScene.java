// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.verbs.attr.Gid;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the tests of multicast groups need all the time. */
final class GroupScene {
    static final int SUCCESS = 0;
    static final int PKEY = 0xffff;

    /** OpenSM wants the groups of IP over InfiniBand to have the Q_Key of their partition's broadcast group. */
    static final int QKEY = 0x0b1b;

    /** OpenSM's default, with which a request is trusted. */
    static final long SM_KEY = 1;

    static final McMemberRecord.Template PARAMETERS = McMemberRecord.newGroup(QKEY, PKEY);

    private static final AtomicInteger GROUPS = new AtomicInteger();
    private static final long PREFIX = 0xff12_401b_ffff_0000L;
    private static final Pattern JOIN_STATE = Pattern.compile("JoinState\\.+0x([0-9a-f]+)");

    private GroupScene() {}

    /** A group that no other test uses. */
    static Gid newGroup() {
        return new Gid(PREFIX, 0x0100_0000 + GROUPS.incrementAndGet());
    }

    static JoinRequest creating(Gid group, JoinState state) {
        return JoinRequest.creating(group, state, PARAMETERS);
    }

    /** The least that names a membership. */
    static McMemberRecord.Template member(SaClient client, Gid group, int joinState) throws RdmaException {
        return McMemberRecord.template()
                .mgid(group)
                .portGid(client.port().gid())
                .joinState(joinState);
    }

    /** The least that creates a group. */
    static McMemberRecord.Template creation(SaClient client, Gid group, int joinState) throws RdmaException {
        return member(client, group, joinState)
                .qkey(QKEY)
                .pkey(PKEY)
                .sl(0)
                .trafficClass(0)
                .flowLabel(0);
    }

    /** The status of the answer. */
    static int status(SaClient client, SaRequest<?> request) throws RdmaException, InterruptedException {
        try {
            client.call(request);
            return SUCCESS;
        } catch (SaException e) {
            if (e.status().isSuccess()) {
                throw e;
            }
            return e.status().raw();
        }
    }

    /** The states of a port in a group as the real saquery(8) shows them; none when it is no member. */
    static Set<JoinState> witness(IbsimFabric fabric, String asker, Gid group, Gid port) {
        String said = fabric.saquery(
                asker, "--smkey", Long.toString(SM_KEY), "--mgid", group.toString(), "--gid", port.toString(), "MCMR");
        Matcher matcher = JOIN_STATE.matcher(said);
        return matcher.find() ? JoinState.ofBits(Integer.parseInt(matcher.group(1), 16)) : Set.of();
    }
}
