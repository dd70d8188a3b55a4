// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the decoders read in the replies of OpenSM, which saquery prints the same. */
class RecordedReplyTest {
    private static final long PREFIX = 0xfe80_0000_0000_0000L;
    private static final Gid HCA_B = new Gid(PREFIX, 0x0002_c903_00a0_0004L);
    private static final Gid HCA_D = new Gid(PREFIX, 0x0002_c903_00a0_000aL);
    private static final Gid IPOIB = new Gid(0xff12_401b_ffff_0000L, 0x0000_0000_ffff_ffffL);

    @Test
    void headers() throws MalformedReplyException {
        ByteBuffer reply = Recorded.reply("path-of-gids");
        assertThat(MadHeader.decode(reply))
                .isEqualTo(new MadHeader(3, 2, SaMethods.GET_TABLE_RESP, 0, 0x0001_0000_6a12_0214L, 0x35, 0));
        assertThat(MadHeader.decode(reply).ownTransactionId()).isEqualTo(0x6a12_0214);
        assertThat(RmppHeader.decode(reply)).isEqualTo(new RmppHeader(0, 0, RmppHeader.ACTIVE, 0, 0, 0));
        assertThat(RmppHeader.decode(reply).isActive()).isFalse();
        assertThat(SaHeader.decode(reply)).isEqualTo(new SaHeader(0, 8, 0x100c));
    }

    @Test
    void classPortInfo() throws MalformedReplyException {
        ClassPortInfo info = ClassPortInfo.TYPE.decodeOne(Recorded.reply("class-port-info"));
        assertThat(info).isEqualTo(new ClassPortInfo(2, 0x2602, 0xb5e8, 16, new Gid(0, 0), 0, 0, 0, 1, 0x8001_0000));
        assertThat(info.supportsSendOnlyFullMember()).isTrue();
        assertThat(info.responseTime()).isEqualTo(Duration.ofNanos(268_435_456));
    }

    @Test
    void group() throws MalformedReplyException {
        assertThat(McMemberRecord.TYPE.decodeTable(Recorded.reply("groups")))
                .containsExactly(new McMemberRecord(
                        IPOIB,
                        new Gid(0, 0),
                        0xb1b,
                        0xc000,
                        PathRecord.Selected.exactly(4),
                        0,
                        0xffff,
                        PathRecord.Selected.exactly(3),
                        PathRecord.Selected.exactly(18),
                        0,
                        0,
                        0,
                        2,
                        0,
                        false));
    }

    @Test
    void tableOfThreeGroupsThatTheSimulatorCut() throws MalformedReplyException {
        List<McMemberRecord> groups = McMemberRecord.TYPE.decodeTable(Recorded.reply("many-groups"));
        assertThat(groups).extracting(McMemberRecord::mlid).containsExactly(0xc000, 0xc002, 0xc003);
        assertThat(groups).extracting(McMemberRecord::portGid).containsOnly(HCA_B);
        assertThat(groups).extracting(McMemberRecord::joinState).containsOnly(1);
    }

    @Test
    void joined() throws MalformedReplyException {
        McMemberRecord member = McMemberRecord.TYPE.decodeOne(Recorded.reply("join"));
        assertThat(member.mgid()).isEqualTo(IPOIB);
        assertThat(member.portGid()).isEqualTo(HCA_B);
        assertThat(member.qkey()).isEqualTo(0xb1b);
        assertThat(member.scope()).isEqualTo(2);
        assertThat(member.joinState()).isEqualTo(1);
    }

    @Test
    void left() throws MalformedReplyException {
        ByteBuffer reply = Recorded.reply("leave");
        assertThat(MadHeader.decode(reply).method()).isEqualTo(SaMethods.DELETE_RESP);
        assertThat(McMemberRecord.TYPE.decodeOne(reply).portGid()).isEqualTo(HCA_B);
    }

    @Test
    void refusals() throws MalformedReplyException {
        assertThat(status("leave-refused").text()).isEqualTo("request invalid");
        assertThat(status("join-insufficient").is(SaStatus.INSUFFICIENT_COMPONENTS))
                .isTrue();
        assertThat(status("member-absent").is(SaStatus.NO_RECORDS)).isTrue();
        assertThat(status("join").isSuccess()).isTrue();
    }

    private static SaStatus status(String name) throws MalformedReplyException {
        return new SaStatus(MadHeader.decode(Recorded.reply(name)).status());
    }

    @Test
    void paths() throws MalformedReplyException {
        assertThat(PathTemplate.TYPE.decodeTable(Recorded.reply("path-of-gids")))
                .containsExactly(new PathRecord(
                        0,
                        HCA_D,
                        HCA_B,
                        6,
                        4,
                        false,
                        0,
                        0,
                        0,
                        true,
                        0,
                        0xffff,
                        0,
                        0,
                        PathRecord.Selected.exactly(4),
                        PathRecord.Selected.exactly(3),
                        PathRecord.Selected.exactly(18),
                        0));
    }

    @Test
    void nodes() throws MalformedReplyException {
        long guid = 0x0002_c903_00a0_0000L;
        assertThat(NodeRecord.TYPE.decodeTable(Recorded.reply("nodes")))
                .containsExactly(new NodeRecord(
                        1, NodeRecord.CHANNEL_ADAPTER, 2, guid, guid, guid + 1, 0x40, 0, 0xa1, 1, 0, "HcaA"));
    }

    @Test
    void ports() throws MalformedReplyException {
        assertThat(PortInfoRecord.TYPE.decodeTable(Recorded.reply("ports")))
                .containsExactly(
                        new PortInfoRecord(4, 1, PREFIX, 4, 1, 0x50c048, 1, 2, 4, 5, 0, 1, 0, 4, 0, 4, 0x1f, 0));
    }

    @Test
    void aTableOfNothing() throws MalformedReplyException {
        assertThat(ServiceRecord.TYPE.decodeTable(Recorded.reply("no-services")))
                .isEmpty();
    }

    @Test
    void service() throws MalformedReplyException {
        ServiceRecord service = ServiceRecord.TYPE.decodeOne(Recorded.reply("service"));
        assertThat(service.name()).isEqualTo("osmt.srvc.1714636912.26576");
        assertThat(service.leaseSeconds()).isEqualTo(10);
        assertThat(service.pkey()).isEqualTo(0xffff);
        assertThat(service.data().get(0)).isEqualTo((byte) 1);
        assertThat(service.data().getShort(16)).isEqualTo((short) 2);
        assertThat(service.data().getInt(32)).isEqualTo(3);
        assertThat(service.data().getLong(48)).isEqualTo(4);
    }
}
