// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.sm.GroupScene.SM_KEY;
import static io.github.rdma4j.sm.GroupScene.SUCCESS;
import static io.github.rdma4j.sm.GroupScene.creating;
import static io.github.rdma4j.sm.GroupScene.creation;
import static io.github.rdma4j.sm.GroupScene.member;
import static io.github.rdma4j.sm.GroupScene.newGroup;
import static io.github.rdma4j.sm.GroupScene.status;
import static io.github.rdma4j.sm.GroupScene.witness;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;
import io.github.rdma4j.verbs.attr.Gid;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What OpenSM makes of leaves. */
@OnFabric
class LeaveSmIT {
    private static IbsimFabric fabric;
    private static SaClient here;
    private static MulticastGroups groups;
    private static MulticastGroups otherGroups;

    @BeforeAll
    static void startFabric() {
        fabric = IbsimFabric.start(FabricPlan.ofAdapters(4));
        here = fabric.client("HcaB");
        groups = new MulticastGroups(here);
        otherGroups = new MulticastGroups(fabric.client("HcaC"));
    }

    @AfterAll
    static void stopFabric() {
        fabric.close();
    }

    /**
     * Every set of states that a port can hold, and every one that it can try to give up, with another full member in the
     * group: it has to hold all of those that it gives up.
     */
    @Test
    void statesThatCanBeLeft() throws Exception {
        Gid group = newGroup();
        otherGroups.join(creating(group, JoinState.FULL_MEMBER));
        for (int held = 1; held <= 0xf; held++) {
            for (int given = 0; given <= 0xf; given++) {
                here.call(SaRequest.set(member(here, group, held)));
                int status = status(here, SaRequest.delete(member(here, group, given)));
                boolean holdsAll = given != 0 && (held & given) == given;
                assertThat(status)
                        .as("holds %x, gives up %x", held, given)
                        .isEqualTo(holdsAll ? SUCCESS : SaStatus.REQUEST_INVALID);
                Set<JoinState> left = JoinState.ofBits(holdsAll ? held & ~given : held);
                assertThat(groups.membership(group, SM_KEY))
                        .as("held %x, gave up %x", held, given)
                        .isEqualTo(left);
                if (!left.isEmpty()) {
                    groups.leave(group, left);
                }
            }
        }
        assertThat(witness(fabric, "HcaD", group, here.port().gid())).isEmpty();
    }

    /** Subnet administration counts no joins, and the last full member takes all others with it, its own states included. */
    @ParameterizedTest
    @EnumSource(names = {"FULL_MEMBER", "SEND_ONLY_FULL_MEMBER"})
    void theLastFullMemberEndsTheGroup(JoinState full) throws Exception {
        Gid group = newGroup();
        for (int join = 0; join < 2; join++) {
            here.call(SaRequest.set(creation(here, group, full.bit() | JoinState.NON_MEMBER.bit())));
        }
        otherGroups.join(JoinRequest.of(group, JoinState.NON_MEMBER));

        groups.leave(group, Set.of(full));

        assertThat(groups.group(group)).isEmpty();
        assertThat(otherGroups.isMember(group)).isFalse();
        assertThat(status(here, SaRequest.delete(member(here, group, full.bit()))))
                .isEqualTo(SaStatus.REQUEST_INVALID);
    }

    /** The defect of OpenSM 3.3.23 that MulticastGroups.leave tells of; when this fails, it has been mended. */
    @ParameterizedTest
    @ValueSource(ints = {9, 0xb, 0xf})
    void theOnlyMemberIsRemovedWhenItBecomesSendOnly(int states) throws Exception {
        Gid group = newGroup();
        int mlid = here.call(SaRequest.set(creation(here, group, states))).mlid();

        groups.leave(group, Set.of(JoinState.FULL_MEMBER));

        assertThat(groups.isMember(group)).isFalse();
        assertThat(groups.group(group)).isPresent();
        assertThat(groups.members(group, SM_KEY)).isEmpty();
        // OpenSM counts one full member too many: nobody gets rid of the group, nor of its MLID.
        assertThat(otherGroups
                        .join(JoinRequest.of(group, JoinState.FULL_MEMBER))
                        .mlid())
                .isEqualTo(mlid);
        otherGroups.leave(group, Set.of(JoinState.FULL_MEMBER));
        assertThat(groups.group(group)).isPresent();
    }

    @Test
    void aPortCannotLeaveForAnotherPort() throws Exception {
        Gid group = newGroup();
        otherGroups.join(creating(group, JoinState.FULL_MEMBER));
        Gid other = otherGroups.members(group, SM_KEY).get(0).portGid();

        assertThatThrownBy(() -> groups.leave(group, other, Set.of(JoinState.FULL_MEMBER)))
                .isInstanceOf(SaException.class);
        assertThat(otherGroups.isMember(group)).isTrue();
    }

    /** A port that another one joined for may leave, and so may any other port take it out. */
    @Test
    void anyPortLeavesForOneThatAnotherJoinedFor() throws Exception {
        Gid group = newGroup();
        Gid joined = fabric.client("HcaD").port().gid();
        Set<JoinState> full = Set.of(JoinState.FULL_MEMBER);
        groups.join(creating(group, JoinState.FULL_MEMBER));
        groups.join(JoinRequest.of(group, JoinState.FULL_MEMBER).onBehalfOf(joined));

        otherGroups.leave(group, joined, full);

        assertThat(groups.membership(group, joined, SM_KEY)).isEmpty();
    }
}
