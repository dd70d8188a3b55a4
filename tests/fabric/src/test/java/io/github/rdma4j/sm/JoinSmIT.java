// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.sm.GroupScene.PKEY;
import static io.github.rdma4j.sm.GroupScene.QKEY;
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

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord.Selected;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What OpenSM makes of joins, with saquery(8) as a witness. */
@OnFabric
class JoinSmIT {
    private static final int RATE_10_GBPS = 3;
    private static final int RATE_40_GBPS = 7;
    private static final int MTU_2048 = 4;
    private static final int FULL = JoinState.FULL_MEMBER.bit() | JoinState.SEND_ONLY_FULL_MEMBER.bit();

    private static IbsimFabric fabric;
    private static SaClient here;
    private static SaClient there;
    private static MulticastGroups groups;
    private static MulticastGroups otherGroups;

    @BeforeAll
    static void startFabric() {
        fabric = IbsimFabric.start(FabricPlan.ofAdapters(4).speed("HcaD", "4xSDR"));
        here = fabric.client("HcaB");
        there = fabric.client("HcaC");
        groups = new MulticastGroups(here);
        otherGroups = new MulticastGroups(there);
    }

    @AfterAll
    static void stopFabric() {
        fabric.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"FULL_MEMBER", "SEND_ONLY_FULL_MEMBER"})
    void aFullMemberCreatesTheGroup(JoinState state) throws Exception {
        Gid group = newGroup();

        McMemberRecord made = groups.join(creating(group, state));

        assertThat(made.mgid()).isEqualTo(group);
        assertThat(made.portGid()).isEqualTo(here.port().gid());
        assertThat(made.joinState()).isEqualTo(state.bit());
        assertThat(made.mlid()).isBetween(0xc000, 0xfffe);
        assertThat(made.qkey()).isEqualTo(QKEY);
        assertThat(made.pkey()).isEqualTo(PKEY);
        assertThat(made.mtu().code()).isEqualTo(MTU_2048);
        assertThat(made.rate().code()).isEqualTo(RATE_40_GBPS);
        assertThat(groups.isMember(group)).isTrue();
        assertThat(groups.membership(group, SM_KEY)).containsExactly(state);
        assertThat(witness(fabric, "HcaD", group, here.port().gid())).containsExactly(state);
    }

    /** A full member creates a group, whatever other states it asks for as well. */
    @Test
    void statesThatCreateAGroup() throws Exception {
        for (int states = 0; states <= 0xf; states++) {
            Gid group = newGroup();
            boolean full = (states & FULL) != 0;
            assertThat(status(here, SaRequest.set(creation(here, group, states))))
                    .as("%x", states)
                    .isEqualTo(full ? SUCCESS : SaStatus.REQUEST_INVALID);
            assertThat(groups.group(group).isPresent()).as("%x", states).isEqualTo(full);
        }
    }

    /** Refused are no multicast, an unknown flag, what SA gives out, and a scope without a broadcast group. */
    @ParameterizedTest
    @CsvSource({
        "ff15:0000:0000:0000:0000:0000:0000:1234, 0",
        "ff02:0000:0000:0000:0000:0000:0000:1234, 0",
        "ff12:4001:ffff:0000:0000:0000:0fff:1101, 0",
        "ff12:601b:ffff:0000:0000:0000:0000:0001, 0",
        "ff15:a01b:0000:0000:0000:0000:0000:0005, 0",
        "fe12:401b:ffff:0000:0000:0000:0000:0005, 0x200",
        "ff25:0000:0000:0000:0000:0000:0000:1234, 0x200",
        "ff12:a01b:ffff:0000:0000:0000:0000:0005, 0x200",
        "ff15:401b:ffff:0000:0000:0000:0000:0005, 0x200",
    })
    void groupsThatAClientMayName(String mgid, String status) throws Exception {
        assertThat(statusOfJoin(groups, creating(Gid.parse(mgid), JoinState.FULL_MEMBER)))
                .isEqualTo(Integer.decode(status));
    }

    @ParameterizedTest
    @EnumSource
    void anyStateJoinsAGroupThatExists(JoinState state) throws Exception {
        Gid group = newGroup();
        McMemberRecord made = otherGroups.join(creating(group, JoinState.FULL_MEMBER));

        McMemberRecord joined = groups.join(JoinRequest.of(group, state));

        assertThat(joined.joinState()).isEqualTo(state.bit());
        assertThat(joined.mlid()).isEqualTo(made.mlid());
        assertThat(joined.qkey()).isEqualTo(QKEY);
        assertThat(witness(fabric, "HcaD", group, here.port().gid())).containsExactly(state);
        assertThat(otherGroups.members(group, SM_KEY))
                .extracting(McMemberRecord::portGid)
                .containsExactlyInAnyOrder(here.port().gid(), there.port().gid());
    }

    @Test
    void oneJoinAfterTheOtherAddsUp() throws Exception {
        Gid group = newGroup();
        otherGroups.join(creating(group, JoinState.FULL_MEMBER));
        int states = 0;
        for (JoinState state : JoinState.values()) {
            states |= state.bit();
            assertThat(groups.join(JoinRequest.of(group, state)).joinState()).isEqualTo(states);
        }
        assertThat(witness(fabric, "HcaD", group, here.port().gid())).containsExactly(JoinState.values());
    }

    @Test
    void aGroupThatDoesNotExistIsNotJoined() throws Exception {
        Gid group = newGroup();
        assertThatThrownBy(() -> groups.join(JoinRequest.of(group, JoinState.FULL_MEMBER)))
                .isInstanceOfSatisfying(
                        SaException.class,
                        e -> assertThat(e.status().is(SaStatus.INSUFFICIENT_COMPONENTS))
                                .isTrue())
                .hasMessageContaining("no such group");
    }

    /** What creates a group has at least these fields. */
    @Test
    void aCreationNeedsItsFields() throws Exception {
        List<UnaryOperator<McMemberRecord.Template>> needed = List.of(
                template -> template.qkey(QKEY),
                template -> template.pkey(PKEY),
                template -> template.sl(0),
                template -> template.trafficClass(0),
                template -> template.flowLabel(0));
        for (int missing = 0; missing < needed.size(); missing++) {
            McMemberRecord.Template template = member(here, newGroup(), JoinState.FULL_MEMBER.bit());
            for (int field = 0; field < needed.size(); field++) {
                template = field == missing ? template : needed.get(field).apply(template);
            }
            assertThat(status(here, SaRequest.set(template)))
                    .as("%s", template)
                    .isEqualTo(SaStatus.INSUFFICIENT_COMPONENTS);
        }
    }

    /** OpenSM takes what the port can do, and no selection of the best. */
    @Test
    void parametersOfANewGroup() throws Exception {
        McMemberRecord.Template plain = GroupScene.PARAMETERS;
        assertCreation(
                SUCCESS,
                McMemberRecord.newGroup(QKEY, 0x7fff),
                plain.copy().mtu(Selected.exactly(MTU_2048 - 1)),
                plain.copy().rate(Selected.exactly(RATE_10_GBPS)),
                plain.copy().packetLifeTime(Selected.exactly(18)));
        assertCreation(
                SaStatus.REQUEST_INVALID,
                McMemberRecord.newGroup(QKEY, 0x8123),
                plain.copy().qkey(QKEY + 1), // IP over InfiniBand has another one
                plain.copy().hopLimit(5),
                plain.copy().mtu(Selected.exactly(MTU_2048 + 1)),
                plain.copy().mtu(Selected.best()),
                plain.copy().rate(Selected.exactly(RATE_40_GBPS + 1)),
                plain.copy().rate(Selected.best()));
    }

    private static void assertCreation(int status, McMemberRecord.Template... parameters) throws Exception {
        for (McMemberRecord.Template each : parameters) {
            Gid group = newGroup();
            assertThat(statusOfJoin(groups, JoinRequest.creating(group, JoinState.FULL_MEMBER, each)))
                    .as("%s", each)
                    .isEqualTo(status);
            assertThat(groups.group(group).isPresent()).isEqualTo(status == SUCCESS);
        }
    }

    private static int statusOfJoin(MulticastGroups where, JoinRequest request)
            throws RdmaException, InterruptedException {
        try {
            where.join(request);
            return SUCCESS;
        } catch (SaException e) {
            return e.status().raw();
        }
    }

    /** Who joins a group that exists has to ask for it as it is. */
    @Test
    void parametersThatAreNotThoseOfTheGroup() throws Exception {
        Gid group = newGroup();
        McMemberRecord.Template made =
                GroupScene.PARAMETERS.copy().mtu(Selected.exactly(MTU_2048)).rate(Selected.exactly(RATE_10_GBPS));
        McMemberRecord record = groups.join(JoinRequest.creating(group, JoinState.FULL_MEMBER, made));

        List<McMemberRecord.Template> others = List.of(
                made.copy().qkey(QKEY + 1),
                made.copy().mtu(Selected.exactly(MTU_2048 - 1)),
                made.copy().rate(Selected.exactly(RATE_40_GBPS)),
                made.copy().rate(Selected.greaterThan(RATE_10_GBPS)),
                made.copy().mtu(Selected.lessThan(MTU_2048)));
        for (McMemberRecord.Template other : others) {
            assertThat(statusOfJoin(otherGroups, JoinRequest.creating(group, JoinState.FULL_MEMBER, other)))
                    .as("%s", other)
                    .isEqualTo(SaStatus.REQUEST_INVALID);
        }
        assertThat(statusOfJoin(otherGroups, JoinRequest.creating(group, JoinState.FULL_MEMBER, record.likeThis())))
                .isEqualTo(SUCCESS);
    }

    /** The link of HcaD has a quarter of the others' rate. */
    @Test
    void aSlowPortCannotJoinAFastGroup() throws Exception {
        Gid group = newGroup();
        MulticastGroups slow = new MulticastGroups(fabric.client("HcaD"));
        groups.join(JoinRequest.creating(
                group, JoinState.FULL_MEMBER, GroupScene.PARAMETERS.copy().rate(Selected.exactly(RATE_40_GBPS))));

        assertThatThrownBy(() -> slow.join(JoinRequest.of(group, JoinState.FULL_MEMBER)))
                .isInstanceOfSatisfying(
                        SaException.class,
                        e -> assertThat(e.status().is(SaStatus.REQUEST_INVALID)).isTrue())
                .hasMessageContaining("rate");
        Gid slowGroup = newGroup();
        slow.join(creating(slowGroup, JoinState.FULL_MEMBER));
        assertThat(groups.join(JoinRequest.of(slowGroup, JoinState.FULL_MEMBER))
                        .rate()
                        .code())
                .isEqualTo(RATE_10_GBPS);
    }

    @Test
    void subnetAdministrationChoosesAGroup() throws Exception {
        JoinRequest any = JoinRequest.creatingAny(JoinState.FULL_MEMBER, GroupScene.PARAMETERS);

        McMemberRecord first = groups.join(any);
        McMemberRecord second = groups.join(any);

        assertThat(new MulticastGid(first.mgid()).kind()).isEqualTo(MulticastGid.Kind.SA_ASSIGNED);
        assertThat(second.mgid()).isNotEqualTo(first.mgid());
        assertThat(otherGroups
                        .join(JoinRequest.of(first.mgid(), JoinState.NON_MEMBER))
                        .mlid())
                .isEqualTo(first.mlid());
    }

    @Test
    void onePortJoinsForAnother() throws Exception {
        Gid group = newGroup();
        Gid other = there.port().gid();
        groups.join(creating(group, JoinState.FULL_MEMBER));

        McMemberRecord joined =
                groups.join(JoinRequest.of(group, JoinState.FULL_MEMBER).onBehalfOf(other));

        assertThat(joined.portGid()).isEqualTo(other);
        assertThat(groups.members(group, SM_KEY))
                .filteredOn(McMemberRecord::proxyJoin)
                .extracting(McMemberRecord::portGid)
                .containsExactly(other);
        assertThat(witness(fabric, "HcaD", group, other)).containsExactly(JoinState.FULL_MEMBER);
        groups.leave(group, other, Set.of(JoinState.FULL_MEMBER));
        assertThat(otherGroups.isMember(group)).isFalse();
    }

    /** A request with a wrong key is not even answered; without one it is, but tells less. */
    @Test
    void aTrustedRequestSeesMembers() throws Exception {
        Gid group = newGroup();
        groups.join(creating(group, JoinState.FULL_MEMBER));
        otherGroups.join(JoinRequest.of(group, JoinState.NON_MEMBER));

        assertThat(groups.members(group, SM_KEY))
                .extracting(McMemberRecord::joinState)
                .containsExactlyInAnyOrder(JoinState.FULL_MEMBER.bit(), JoinState.NON_MEMBER.bit());
        assertThat(groups.members(group, 0)).singleElement().satisfies(record -> {
            assertThat(record.portGid().isZero()).isTrue();
            assertThat(record.joinState()).isZero();
        });
        assertThat(otherGroups.membership(group, SM_KEY)).containsExactly(JoinState.NON_MEMBER);
        SaClient impatient = fabric.client(
                "HcaD",
                SaOptions.builder()
                        .firstTimeout(Duration.ofMillis(300))
                        .attempts(1)
                        .build());
        MulticastGroups impatientGroups = new MulticastGroups(impatient);
        assertThatThrownBy(() -> impatientGroups.members(group, SM_KEY + 1)).isInstanceOf(SaTimeoutException.class);
    }
}
