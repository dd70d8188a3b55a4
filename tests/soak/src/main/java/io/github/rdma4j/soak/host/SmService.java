// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.JoinRequest;
import io.github.rdma4j.sm.MembershipRegistry;
import io.github.rdma4j.sm.MulticastMembership;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.verbs.attr.Gid;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** A client of subnet administration that holds memberships, which have to outlive the memory of the subnet manager. */
final class SmService implements Service {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
    private static final long SM_KEY = 1;

    /** OpenSM wants the groups of IP over InfiniBand to have the Q_Key of their partition's broadcast group. */
    private static final McMemberRecord.Template PARAMETERS = McMemberRecord.newGroup(0x0b1b, 0xffff);

    private static final List<Gid> GROUPS =
            List.of(new Gid(0xff12_401b_ffff_0000L, 0x0100_0001), new Gid(0xff12_401b_ffff_0000L, 0x0100_0002));

    private @Nullable SaClient client;
    private @Nullable MembershipRegistry registry;

    @Override
    public void start() throws Exception {
        SaClient made = SaClient.open("softib0", 1);
        MembershipRegistry members = new MembershipRegistry(made, Runnable::run);
        for (Gid group : GROUPS) {
            members.join(JoinRequest.creating(group, JoinState.FULL_MEMBER, PARAMETERS));
        }
        ScheduledExecutorService checks = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "membership checks");
            thread.setDaemon(true);
            return thread;
        });
        members.checkEvery(checks, CHECK_INTERVAL);
        client = made;
        registry = members;
    }

    /**
     * Returns "ok" if the subnet manager knows every membership of this process; otherwise describes the difference.
     */
    String check() throws InterruptedException {
        SaClient asked = client;
        MembershipRegistry holder = registry;
        if (asked == null || holder == null) {
            return "no client of subnet administration here";
        }
        try {
            for (MulticastMembership membership : holder.memberships()) {
                if (!membership.isMember()) {
                    return membership + " is none";
                }
            }
            for (Gid group : GROUPS) {
                List<McMemberRecord> members = asked.call(
                        SaRequest.getTable(McMemberRecord.template().mgid(group))
                                .trusted(SM_KEY),
                        PATIENCE);
                Gid own = asked.port().gid();
                if (members.stream().noneMatch(member -> member.portGid().equals(own))) {
                    return "the subnet manager does not know that " + own + " is in " + group;
                }
            }
            return "ok";
        } catch (RdmaException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
