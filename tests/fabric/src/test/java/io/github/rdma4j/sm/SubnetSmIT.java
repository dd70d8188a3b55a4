// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.sm.GroupScene.creating;
import static io.github.rdma4j.sm.GroupScene.newGroup;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.InformInfo;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.sm.mad.NodeRecord;
import io.github.rdma4j.sm.mad.Notice;
import io.github.rdma4j.sm.mad.PathTemplate;
import io.github.rdma4j.sm.mad.PortInfoRecord;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;
import io.github.rdma4j.sm.mad.ServiceRecord;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What else subnet administration tells: paths, services, nodes, ports, and reports of what happens. */
@OnFabric
class SubnetSmIT {
    private static final int TEST_PKEY = 0x8123;
    private static final long SERVICE_ID = 0x1000_0000_0000_1234L;

    private static IbsimFabric fabric;
    private static SaClient here;
    private static SaClient there;

    /** HcaB and HcaC are full members of a partition in which there is IP over InfiniBand; HcaD is not in it. */
    @BeforeAll
    static void startFabric() {
        String members =
                String.format("0x%016x=full, 0x%016x=full", FabricPlan.portGuid("HcaB"), FabricPlan.portGuid("HcaC"));
        fabric = IbsimFabric.start(FabricPlan.ofAdapters(4)
                .partitions("Default=0x7fff, ipoib : ALL=full;\nTest=0x0123, ipoib : " + members + ";\n"));
        here = SaClients.over(fabric.attachForReports("HcaB"));
        there = fabric.client("HcaC");
    }

    @AfterAll
    static void stopFabric() {
        fabric.close();
    }

    @Test
    void subnetAdministrationReportsItsCapabilities() throws Exception {
        ClassPortInfo info = here.classPortInfo().orElseThrow();
        assertThat(info.supportsSendOnlyFullMember()).isTrue();
        assertThat(info.capabilityMask() & ClassPortInfo.UD_MULTICAST).isNotZero();
        assertThat(fabric.saquery("HcaD", "-c"))
                .contains(String.format("Capability mask 2........0x%08X", info.capabilityMask2()));
    }

    @Test
    void aPathLeadsToTheOtherPort() throws Exception {
        LocalPort from = here.port();
        LocalPort to = there.port();
        PathRecord path = here.call(SaRequest.get(PathTemplate.empty()
                .sgid(from.gid())
                .dgid(to.gid())
                .reversible(true)
                .numbPath(1)));
        assertThat(path.slid()).isEqualTo(from.lid());
        assertThat(path.dlid()).isEqualTo(to.lid());
        assertThat(path.reversible()).isTrue();
        assertThat(path.pkey()).isIn(0xffff, TEST_PKEY);
        assertThat(path.mtu().code()).isEqualTo(4);

        Gid nowhere = new Gid(to.gid().prefix(), 0xdead);
        assertThat(GroupScene.status(
                        here,
                        SaRequest.get(PathTemplate.empty()
                                .sgid(from.gid())
                                .dgid(nowhere)
                                .numbPath(1))))
                .isEqualTo(SaStatus.NO_RECORDS);
    }

    @Test
    void nodesAndPortsAreKnown() throws Exception {
        LocalPort port = there.port();
        NodeRecord node = here.call(SaRequest.get(NodeRecord.template().lid(port.lid())));
        assertThat(node.description()).isEqualTo("HcaC");
        assertThat(node.nodeType()).isEqualTo(NodeRecord.CHANNEL_ADAPTER);
        assertThat(node.portGuid()).isEqualTo(port.gid().interfaceId());
        PortInfoRecord info = here.call(
                SaRequest.get(PortInfoRecord.template().lid(port.lid()).portNumber(1)));
        assertThat(info.state()).isEqualTo(PortAttr.State.ACTIVE);
        assertThat(info.smLid()).isEqualTo(port.smLid());
    }

    @Test
    void aServiceIsFoundUntilItIsTakenBack() throws Exception {
        LocalPort port = there.port();
        ServiceRecord.Template service = ServiceRecord.template()
                .serviceId(SERVICE_ID)
                .gid(port.gid())
                .pkey(0xffff)
                .leaseSeconds(ServiceRecord.FOR_EVER)
                .key(new byte[16])
                .name("rdma4j.test")
                .data8(0, 42);
        there.call(SaRequest.set(service));

        ServiceRecord found = here.call(SaRequest.get(ServiceRecord.template().name("rdma4j.test")));
        assertThat(found.serviceId()).isEqualTo(SERVICE_ID);
        assertThat(found.gid()).isEqualTo(port.gid());
        assertThat(found.data().get(0)).isEqualTo((byte) 42);
        assertThat(fabric.saquery("HcaD", "-S")).contains("rdma4j.test");

        ServiceRecord.Template same =
                ServiceRecord.template().serviceId(SERVICE_ID).gid(port.gid()).pkey(0xffff);
        there.call(SaRequest.delete(same));
        assertThat(GroupScene.status(there, SaRequest.delete(same))).isEqualTo(SaStatus.NO_RECORDS);
    }

    @Test
    void partitionsAreApart() throws Exception {
        Gid broadcast =
                MulticastGid.ipoibBroadcast(TEST_PKEY, MulticastGid.SCOPE_LINK).gid();
        SaClient outsider = fabric.client("HcaD");
        MulticastGroups outside = new MulticastGroups(outsider);
        MulticastGroups inside = new MulticastGroups(here);

        assertThat(here.port().pkeys()).contains(TEST_PKEY);
        assertThat(outsider.port().pkeys()).doesNotContain(TEST_PKEY);
        assertThat(inside.groups()).extracting(McMemberRecord::mgid).contains(broadcast);
        assertThat(outside.groups()).extracting(McMemberRecord::mgid).doesNotContain(broadcast);
        McMemberRecord known = inside.join(JoinRequest.of(broadcast, JoinState.FULL_MEMBER));
        assertThat(known.pkey() | 0x8000).isEqualTo(TEST_PKEY);
        inside.leave(broadcast, Set.of(JoinState.FULL_MEMBER));
        assertThatThrownBy(() -> outside.join(JoinRequest.of(broadcast, JoinState.FULL_MEMBER)))
                .isInstanceOf(SaException.class)
                .hasMessageContaining("partition");
        assertThatThrownBy(() -> outside.join(JoinRequest.creating(
                        newGroup(), JoinState.FULL_MEMBER, McMemberRecord.newGroup(GroupScene.QKEY, TEST_PKEY))))
                .isInstanceOf(SaException.class);
    }

    @Test
    void groupsThatComeAndGoAreReported() throws Exception {
        List<Notice> created = new CopyOnWriteArrayList<>();
        List<Notice> deleted = new CopyOnWriteArrayList<>();
        Gid group = newGroup();
        MulticastGroups groups = new MulticastGroups(there);
        try (SaSubscription births = here.subscribe(InformInfo.ofTrap(Notice.GROUP_CREATED), created::add);
                SaSubscription deaths = here.subscribe(InformInfo.ofTrap(Notice.GROUP_DELETED), deleted::add)) {
            assertThat(births.what()).isNotEqualTo(deaths.what());
            groups.join(creating(group, JoinState.FULL_MEMBER));
            Await.until(
                    "reported",
                    () -> created.stream().anyMatch(notice -> notice.gid().equals(group)));
            assertThat(deleted).isEmpty();
            groups.leave(group, Set.of(JoinState.FULL_MEMBER));
            Await.until(
                    "reported",
                    () -> deleted.stream().anyMatch(notice -> notice.gid().equals(group)));
        }
        assertThat(created).extracting(Notice::trapNumber).containsOnly(Notice.GROUP_CREATED);
        assertThat(created).extracting(Notice::gid).containsOnlyOnce(group);
        assertThat(deleted).extracting(Notice::gid).containsOnlyOnce(group);
    }
}
