// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Ib;
import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.JoinRequest;
import io.github.rdma4j.sm.MembershipRegistry;
import io.github.rdma4j.sm.MulticastGroups;
import io.github.rdma4j.sm.MulticastMembership;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.mad.InformInfo;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.sm.mad.Notice;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.Gid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The client of subnet administration over the kernel's umad and OpenSM, with {@code saquery} as the witness. */
@RequiresIb
class ManagerIbIT {
    private static final int QKEY = 0x0b1b;
    private static final long PREFIX = 0xff12_401b_ffff_0000L;

    /** A MAD has room for five records of a group, so these take a transfer of several segments. */
    private static final int MANY = 60;

    private static JoinRequest creating(Gid group, JoinState state) {
        return JoinRequest.creating(group, state, McMemberRecord.newGroup(QKEY, 0xffff));
    }

    private static SaClient client() throws RdmaException {
        return SaClient.open(Ib.DEVICE, Ib.PORT);
    }

    @Test
    void recordsOfManySegmentsComeWhole() throws Exception {
        try (SaClient client = client()) {
            MulticastGroups groups = new MulticastGroups(client);
            List<Gid> joined = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                Gid group = new Gid(PREFIX, 0x0200_0000 + i);
                groups.join(creating(group, JoinState.FULL_MEMBER));
                joined.add(group);
            }
            List<Gid> found = groups.groups().stream().map(McMemberRecord::mgid).toList();
            assertThat(found).containsAll(joined);
            String listed = Program.run("saquery", "-C", Ib.DEVICE, "-g");
            assertThat(listed.split("MGID\\.", -1)).hasSize(found.size() + 1);
            for (Gid group : joined) {
                groups.leave(group, Set.of(JoinState.FULL_MEMBER));
            }
            assertThat(groups.groups()).extracting(McMemberRecord::mgid).doesNotContainAnyElementsOf(joined);
        }
    }

    @Test
    void groupsThatAreCreatedAndDeletedAreReported() throws Exception {
        Gid group = new Gid(PREFIX, 0x0300_0001);
        BlockingQueue<Notice> notices = new LinkedBlockingQueue<>();
        try (SaClient client = client()) {
            MulticastGroups groups = new MulticastGroups(client);
            client.subscribe(InformInfo.ofTrap(Notice.GROUP_CREATED), notices::add);
            client.subscribe(InformInfo.ofTrap(Notice.GROUP_DELETED), notices::add);
            groups.join(creating(group, JoinState.FULL_MEMBER));
            groups.leave(group, Set.of(JoinState.FULL_MEMBER));
            // In any order: each subscription has a thread of its own.
            Set<Integer> missing = new HashSet<>(Set.of(Notice.GROUP_CREATED, Notice.GROUP_DELETED));
            while (!missing.isEmpty()) {
                Notice notice = notices.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertThat(notice).as("the report of traps %s", missing).isNotNull();
                if (notice.gid().equals(group)) {
                    missing.remove(notice.trapNumber());
                }
            }
        }
    }

    /** The device says that a new manager wants all ports to register again; the registry joins again. */
    @Test
    void theRegistryJoinsAgainAfterARestartOfTheManager() throws Exception {
        Gid group = new Gid(PREFIX, 0x0400_0001);
        BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        try (SaClient client = client();
                DeviceContext context = DeviceContext.open(Ib.DEVICE);
                MembershipRegistry registry = new MembershipRegistry(client, tasks::add)) {
            MulticastMembership membership = registry.join(creating(group, JoinState.SEND_ONLY_FULL_MEMBER));
            Ib.killManager();
            Ib.startManager();
            AsyncEvent event;
            do {
                event = context.awaitAsyncEvent(Await.LIMIT).orElseThrow();
                registry.asyncEvent(event);
            } while (event.type() != AsyncEventType.CLIENT_REREGISTER);
            Runnable task = tasks.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(task).isNotNull();
            task.run();
            assertThat(membership.isMember()).isTrue();
            assertThat(new MulticastGroups(client).membership(group, Ib.SM_KEY))
                    .containsExactly(JoinState.SEND_ONLY_FULL_MEMBER);
        }
    }
}
