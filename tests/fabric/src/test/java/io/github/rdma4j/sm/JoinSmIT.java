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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What OpenSM makes of joins, with saquery(8) as a witness. */
@OnFabric
class JoinSmIT {
    private static final int RATE_10_GBPS = 3;
    private static final int RATE_40_GBPS = 7;
    private static final int RATE_60_GBPS = 8;
    private static final int RATE_NONE = 60;
    private static final int MTU_2048 = 4;
    private static final int MTU_4096 = 5;

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

    @ParameterizedTest
    @ValueSource(ints = {9, 0xf, 3, 5})
    void severalStatesAtOnceCreateTheGroupIfOneIsFull(int states) throws Exception {
        Gid group = newGroup();
        McMemberRecord made = here.call(SaRequest.set(creation(here, group, states)));
        assertThat(made.joinState()).isEqualTo(states);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4, 6})
    void otherStatesDoNotCreateTheGroup(int states) throws Exception {
        Gid group = newGroup();
        assertThat(status(here, SaRequest.set(creation(here, group, states)))).isEqualTo(SaStatus.REQUEST_INVALID);
        assertThat(groups.group(group)).isEmpty();
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
    void joiningTwiceIsJoiningOnce() throws Exception {
        Gid group = newGroup();
        McMemberRecord first = groups.join(creating(group, JoinState.FULL_MEMBER));
        assertThat(groups.join(creating(group, JoinState.FULL_MEMBER))).isEqualTo(first);
        groups.leave(group, Set.of(JoinState.FULL_MEMBER));
        assertThat(groups.group(group)).isEmpty();
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
    @ParameterizedTest
    @EnumSource
    void aCreationNeedsItsFields(Needed missing) throws Exception {
        McMemberRecord.Template template = member(here, newGroup(), 1);
        for (Needed field : Needed.values()) {
            if (field != missing) {
                set(template, field);
            }
        }
        assertThat(status(here, SaRequest.set(template))).isEqualTo(SaStatus.INSUFFICIENT_COMPONENTS);
    }

    enum Needed {
        QKEY,
        PKEY,
        SL,
        TRAFFIC_CLASS,
        FLOW_LABEL
    }

    private static void set(McMemberRecord.Template template, Needed field) {
        switch (field) {
            case QKEY -> template.qkey(QKEY);
            case PKEY -> template.pkey(PKEY);
            case SL -> template.sl(0);
            case TRAFFIC_CLASS -> template.trafficClass(0);
            case FLOW_LABEL -> template.flowLabel(0);
        }
    }

    /** A change of the parameters of a group that {@link GroupScene#newGroup} names, and what OpenSM says to its creation. */
    enum Creation {
        PLAIN(SUCCESS),
        LIMITED_PKEY(SUCCESS),
        MTU_OF_THE_LINK(SUCCESS),
        SMALLER_MTU(SUCCESS),
        RATE_OF_THE_PORT(SUCCESS),
        LOWER_RATE(SUCCESS),
        LIFE_TIME(SUCCESS),
        LARGEST_MTU(SaStatus.REQUEST_INVALID),
        LARGEST_RATE(SaStatus.REQUEST_INVALID),
        HOP_LIMIT(SaStatus.REQUEST_INVALID),
        ANOTHER_QKEY_THAN_THE_BROADCAST_GROUP(SaStatus.REQUEST_INVALID),
        MTU_ABOVE_THE_LINK(SaStatus.REQUEST_INVALID),
        RATE_ABOVE_THE_PORT(SaStatus.REQUEST_INVALID),
        RATE_THAT_IS_NONE(SaStatus.REQUEST_INVALID),
        PKEY_NOT_IN_THE_TABLE(SaStatus.REQUEST_INVALID);

        private final int status;

        Creation(int status) {
            this.status = status;
        }

        McMemberRecord.Template parameters() {
            McMemberRecord.Template plain = GroupScene.PARAMETERS;
            return switch (this) {
                case PLAIN -> plain;
                case LIMITED_PKEY -> McMemberRecord.newGroup(QKEY, 0x7fff);
                case MTU_OF_THE_LINK -> plain.copy().mtu(Selected.exactly(MTU_2048));
                case SMALLER_MTU -> plain.copy().mtu(Selected.exactly(MTU_2048 - 1));
                case RATE_OF_THE_PORT -> plain.copy().rate(Selected.exactly(RATE_40_GBPS));
                case LOWER_RATE -> plain.copy().rate(Selected.exactly(RATE_10_GBPS));
                case LIFE_TIME -> plain.copy().packetLifeTime(Selected.exactly(18));
                case LARGEST_MTU -> plain.copy().mtu(Selected.best());
                case LARGEST_RATE -> plain.copy().rate(Selected.best());
                case HOP_LIMIT -> plain.copy().hopLimit(5);
                case ANOTHER_QKEY_THAN_THE_BROADCAST_GROUP -> plain.copy().qkey(QKEY + 1);
                case MTU_ABOVE_THE_LINK -> plain.copy().mtu(Selected.exactly(MTU_4096));
                case RATE_ABOVE_THE_PORT -> plain.copy().rate(Selected.exactly(RATE_60_GBPS));
                case RATE_THAT_IS_NONE -> plain.copy().rate(Selected.exactly(RATE_NONE));
                case PKEY_NOT_IN_THE_TABLE -> McMemberRecord.newGroup(QKEY, 0x8123);
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void creationWithParameters(Creation creation) throws Exception {
        Gid group = newGroup();
        assertThat(statusOfJoin(groups, JoinRequest.creating(group, JoinState.FULL_MEMBER, creation.parameters())))
                .isEqualTo(creation.status);
        assertThat(groups.group(group).isPresent()).isEqualTo(creation.status == SUCCESS);
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

    @ParameterizedTest
    @CsvSource({
        "ff15:0000:0000:0000:0000:0000:0000:1234, 0",
        "ff02:0000:0000:0000:0000:0000:0000:1234, 0",
        "ff12:4001:ffff:0000:0000:0000:0fff:1101, 0",
        "ff12:601b:ffff:0000:0000:0000:0000:0001, 0",
        "ff15:a01b:0000:0000:0000:0000:0000:0005, 0",
        // no multicast, an unknown flag, what subnet administration gives out, a scope without a broadcast group
        "fe12:401b:ffff:0000:0000:0000:0000:0005, 0x200",
        "ff25:0000:0000:0000:0000:0000:0000:1234, 0x200",
        "ff12:a01b:ffff:0000:0000:0000:0000:0005, 0x200",
        "ff15:401b:ffff:0000:0000:0000:0000:0005, 0x200",
    })
    void whichGroupsAClientMayName(String mgid, String status) throws Exception {
        assertThat(statusOfJoin(groups, creating(Gid.parse(mgid), JoinState.FULL_MEMBER)))
                .isEqualTo(Integer.decode(status));
    }

    @Test
    void anUnknownPortCannotJoin() throws Exception {
        Gid group = newGroup();
        groups.join(creating(group, JoinState.FULL_MEMBER));
        Gid port = here.port().gid();

        JoinRequest unknown = JoinRequest.of(group, JoinState.FULL_MEMBER)
                .onBehalfOf(new Gid(port.prefix(), port.interfaceId() + 0x1000));
        assertThat(statusOfJoin(groups, unknown)).isEqualTo(SaStatus.REQUEST_INVALID);
        JoinRequest otherSubnet =
                JoinRequest.of(group, JoinState.FULL_MEMBER).onBehalfOf(new Gid(port.prefix() + 1, port.interfaceId()));
        assertThat(statusOfJoin(groups, otherSubnet)).isEqualTo(SaStatus.INVALID_GID);
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
