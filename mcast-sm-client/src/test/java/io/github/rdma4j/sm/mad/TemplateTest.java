// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.PathRecord;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every setter: its bit, its bytes, and no other field's. */
class TemplateTest {
    private static final Gid ONE = new Gid(0x1112_1314_1516_1718L, 0x2122_2324_2526_2728L);
    private static final Gid TWO = new Gid(0x3132_3334_3536_3738L, 0x4142_4344_4546_4748L);

    private static ByteBuffer sent(SaRequest.Template<?> template) {
        return SaRequest.set(template).encode(0);
    }

    private static long mask(SaRequest.Template<?> template) {
        return sent(template).getLong(SaHeader.Layout.COMPONENT_MASK);
    }

    @Test
    void allOfAMember() throws MalformedReplyException {
        McMemberRecord.Template template = McMemberRecord.template()
                .mgid(ONE)
                .portGid(TWO)
                .qkey(0x8001_0203)
                .mlid(0xc001)
                .mtu(PathRecord.Selected.exactly(5))
                .trafficClass(0xa1)
                .pkey(0x8fff)
                .rate(PathRecord.Selected.lessThan(22))
                .packetLifeTime(PathRecord.Selected.best())
                .sl(0xe)
                .flowLabel(0xabcde)
                .hopLimit(0xf7)
                .scope(0xd)
                .joinState(0xb)
                .proxyJoin(true);
        assertThat(McMemberRecord.TYPE.decodeOne(sent(template)))
                .isEqualTo(new McMemberRecord(
                        ONE,
                        TWO,
                        0x8001_0203,
                        0xc001,
                        PathRecord.Selected.exactly(5),
                        0xa1,
                        0x8fff,
                        PathRecord.Selected.lessThan(22),
                        PathRecord.Selected.best(),
                        0xe,
                        0xabcde,
                        0xf7,
                        0xd,
                        0xb,
                        true));
        assertThat(mask(template)).isEqualTo(0x3ffff);
    }

    @Test
    void oneFieldOfAMemberAtATime() {
        assertThat(List.of(
                        mask(McMemberRecord.template().mgid(ONE)),
                        mask(McMemberRecord.template().portGid(ONE)),
                        mask(McMemberRecord.template().qkey(0)),
                        mask(McMemberRecord.template().mlid(0)),
                        mask(McMemberRecord.template().mtu(PathRecord.Selected.exactly(1))),
                        mask(McMemberRecord.template().trafficClass(0)),
                        mask(McMemberRecord.template().pkey(0)),
                        mask(McMemberRecord.template().rate(PathRecord.Selected.exactly(1))),
                        mask(McMemberRecord.template().packetLifeTime(PathRecord.Selected.best())),
                        mask(McMemberRecord.template().sl(0)),
                        mask(McMemberRecord.template().flowLabel(0)),
                        mask(McMemberRecord.template().hopLimit(0)),
                        mask(McMemberRecord.template().scope(0)),
                        mask(McMemberRecord.template().joinState(0)),
                        mask(McMemberRecord.template().proxyJoin(false))))
                .containsExactly(
                        0x1L, 0x2L, 0x4L, 0x8L, 0x30L, 0x40L, 0x80L, 0x300L, 0xc00L, 0x1000L, 0x2000L, 0x4000L, 0x8000L,
                        0x1_0000L, 0x2_0000L);
    }

    @Test
    void settingAgainReplaces() throws MalformedReplyException {
        McMemberRecord.Template template = McMemberRecord.template()
                .sl(0xf)
                .flowLabel(0xfffff)
                .hopLimit(0xff)
                .joinState(0xf)
                .scope(0xf);
        template.sl(1).flowLabel(2).hopLimit(3).joinState(4).scope(5);
        McMemberRecord record = McMemberRecord.TYPE.decodeOne(sent(template));
        assertThat(List.of(record.sl(), record.flowLabel(), record.hopLimit(), record.joinState(), record.scope()))
                .containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void allOfAPath() throws MalformedReplyException {
        PathTemplate template = PathTemplate.empty()
                .dgid(ONE)
                .sgid(TWO)
                .dlid(0xbfff)
                .slid(0x1234)
                .flowLabel(0xabcde)
                .hopLimit(0xf7)
                .trafficClass(0xa1)
                .reversible(true)
                .numbPath(0x55)
                .pkey(0x8fff)
                .qosClass(0xabc)
                .sl(0xe)
                .mtu(PathRecord.Selected.greaterThan(3))
                .rate(PathRecord.Selected.exactly(7))
                .packetLifeTime(PathRecord.Selected.lessThan(18));
        assertThat(PathTemplate.TYPE.decodeOne(sent(template)))
                .isEqualTo(new PathRecord(
                        0,
                        ONE,
                        TWO,
                        0xbfff,
                        0x1234,
                        false,
                        0xabcde,
                        0xf7,
                        0xa1,
                        true,
                        0x55,
                        0x8fff,
                        0xabc,
                        0xe,
                        PathRecord.Selected.greaterThan(3),
                        PathRecord.Selected.exactly(7),
                        PathRecord.Selected.lessThan(18),
                        0));
        assertThat(mask(template)).isEqualTo(0x3fff3c);
    }

    @Test
    void someOfAService() throws MalformedReplyException {
        ServiceRecord.Template template = ServiceRecord.template()
                .serviceId(0x1000_0000_0000_4711L)
                .gid(ONE)
                .pkey(0x8001)
                .leaseSeconds(ServiceRecord.FOR_EVER)
                .key(new byte[] {1, 2, 3})
                .name("größer")
                .data8(15, 0xff)
                .data16(7, 0xfffe)
                .data32(3, -3)
                .data64(1, -4);
        ServiceRecord record = ServiceRecord.TYPE.decodeOne(sent(template));
        assertThat(record.name()).isEqualTo("größer");
        assertThat(record.leaseSeconds()).isEqualTo(-1);
        assertThat(record.key().getInt(0)).isEqualTo(0x0102_0300);
        assertThat(record.data().get(15)).isEqualTo((byte) -1);
        assertThat(record.data().getShort(30)).isEqualTo((short) -2);
        assertThat(record.data().getInt(44)).isEqualTo(-3);
        assertThat(record.data().getLong(56)).isEqualTo(-4);
        assertThat(mask(template)).isEqualTo(0x77L | 1L << 22 | 1L << 30 | 1L << 34 | 1L << 36);
    }

    @Test
    void nodesAndPorts() throws MalformedReplyException {
        NodeRecord.Template node = NodeRecord.template()
                .lid(7)
                .nodeType(NodeRecord.SWITCH)
                .systemImageGuid(1)
                .nodeGuid(2)
                .portGuid(3)
                .description("switch");
        assertThat(NodeRecord.TYPE.decodeOne(sent(node)))
                .isEqualTo(new NodeRecord(7, 2, 0, 1, 2, 3, 0, 0, 0, 0, 0, "switch"));
        assertThat(mask(node)).isEqualTo(0x41d1);
        PortInfoRecord.Template port = PortInfoRecord.template()
                .lid(7)
                .portNumber(1)
                .baseLid(6)
                .smLid(5)
                .capabilityMask(PortInfoRecord.IS_SM)
                .state(4);
        PortInfoRecord record = PortInfoRecord.TYPE.decodeOne(sent(port));
        assertThat(List.of(record.lid(), record.portNumber(), record.baseLid(), record.smLid(), record.rawState()))
                .containsExactly(7, 1, 6, 5, 4);
        assertThat(record.state()).isEqualTo(PortAttr.State.ACTIVE);
        assertThat(record.capabilityMask()).isEqualTo(2);
        assertThat(mask(port)).isEqualTo(0x80e3);
    }

    private static PortInfoRecord port(int state, int mtuAndServiceLevel, int mtuCapability) {
        ByteBuffer bytes = ByteBuffer.allocate(PortInfoRecord.TYPE.bytes());
        bytes.put(36, (byte) state).put(40, (byte) mtuAndServiceLevel).put(45, (byte) mtuCapability);
        return PortInfoRecord.TYPE.decoder().apply(bytes);
    }

    @Test
    void aPortsNumbersHaveNamesOrAreKept() {
        PortInfoRecord known = port(0x34, 0x47, 0xf5);
        assertThat(List.of(known.neighborMtu(), known.mtuCapability()))
                .containsExactly(PathMtu.MTU_2048, PathMtu.MTU_4096);
        assertThat(known.smSl()).isEqualTo(7);
        PortInfoRecord unknown = port(0x3f, 0xe0, 0x0d);
        assertThat(unknown.state()).isEqualTo(PortAttr.State.UNKNOWN);
        assertThat(List.of(unknown.neighborMtu(), unknown.mtuCapability())).containsOnly(PathMtu.UNKNOWN);
        assertThat(List.of(unknown.rawState(), unknown.rawNeighborMtu(), unknown.rawMtuCapability()))
                .containsExactly(15, 14, 13);
    }

    @Test
    void subscription() throws MalformedReplyException {
        InformInfo groups = InformInfo.ofTrap(Notice.GROUP_CREATED);
        ByteBuffer mad = SaRequest.inform(groups).encode(0);
        assertThat(InformInfo.TYPE.decodeOne(mad)).isEqualTo(groups);
        assertThat(mad.getInt(SaHeader.Layout.END + 16)).isEqualTo(0xffff_0000);
        assertThat(mad.getInt(SaHeader.Layout.END + 20)).isEqualTo(0x0000_0101);
        assertThat(mad.getInt(SaHeader.Layout.END + 24)).isEqualTo(0xffff_0042);
        assertThat(mad.getInt(SaHeader.Layout.END + 28)).isEqualTo(0x0000_0112);
        assertThat(mad.getInt(SaHeader.Layout.END + 32)).isEqualTo(0x00ff_ffff);
        assertThat(groups.unsubscribe().subscribe()).isFalse();
    }

    @Test
    void aTemplateIsCopied() throws MalformedReplyException {
        McMemberRecord.Template template = McMemberRecord.template().mgid(ONE);
        SaRequest<McMemberRecord> request = SaRequest.get(template);
        template.mgid(TWO).sl(3);
        assertThat(McMemberRecord.TYPE.decodeOne(request.encode(0)).mgid()).isEqualTo(ONE);
        assertThat(request.mask()).isEqualTo(1);
    }

    @Test
    void refusesValuesOutOfRange() {
        McMemberRecord.Template template = McMemberRecord.template();
        assertThatThrownBy(() -> template.joinState(16)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> template.sl(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> template.flowLabel(1 << 20)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> template.mlid(0x1_0000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PathRecord.Selector.of(4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ServiceRecord.template().name("x".repeat(65)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name has 64 bytes");
        assertThatThrownBy(() -> ServiceRecord.template().data32(4, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(template.mask()).isZero();
    }

    @Test
    void names() {
        assertThat(SaRequest.set(
                        McMemberRecord.template().mgid(ONE).portGid(TWO).joinState(1)))
                .hasToString("Set MCMemberRecord, mask 0x10003");
        assertThat(SaRequest.classPortInfo()).hasToString("Get ClassPortInfo");
        assertThat(new SaStatus(0x0300)).hasToString("0x0300 (no records match)");
        assertThat(new SaStatus(0x000c)).hasToString("0x000c (method not supported for the attribute)");
        assertThat(SaMethods.name(0x14)).isEqualTo("method 0x14");
        assertThat(SaAttributes.name(0x39)).isEqualTo("attribute 0x39");
    }
}
