// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.uverbs.CqCommands.AsyncEventDesc;
import io.github.rdma4j.internal.uverbs.CqCommands.CompEventDesc;
import io.github.rdma4j.internal.uverbs.GidBytes.GidEntryBytes;
import io.github.rdma4j.internal.uverbs.MemoryCommands.AllocMwReply;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegMrReply;
import io.github.rdma4j.internal.uverbs.MemoryCommands.ReregMrReply;
import io.github.rdma4j.internal.uverbs.QpCommands.OpenQpReply;
import io.github.rdma4j.support.PoisonedBuffer;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.PortAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplyTest {
    @Test
    void decodesSmallReplies() {
        ByteBuffer in = PoisonedBuffer.of("a5a5a5a5", "01000000 02000000 03000000");
        assertThat(RegMrReply.decode(in, 4)).isEqualTo(new RegMrReply(1, 2, 3));
        assertThat(AllocMwReply.decode(in, 4)).isEqualTo(new AllocMwReply(1, 2));
        assertThat(ReregMrReply.decode(in, 4)).isEqualTo(new ReregMrReply(1, 2));
        assertThat(List.of(
                        WriteCommand.ALLOC_PD,
                        WriteCommand.RESIZE_CQ,
                        WriteCommand.POLL_CQ,
                        WriteCommand.CREATE_COMP_CHANNEL,
                        WriteCommand.CREATE_AH,
                        WriteCommand.OPEN_XRCD))
                .allSatisfy(
                        command -> assertThat(command.decoder().decode(in, 4)).isEqualTo(1));
    }

    @Test
    void decodesTheDevice() {
        ByteBuffer in = ByteBuffer.allocate(DeviceAttrBytes.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        in.put(8, PoisonedBuffer.of("b4d224fffe1698a4").array()); // node_guid
        in.put(16, PoisonedBuffer.of("b4d224fffe1698a5").array()); // sys_image_guid
        in.putLong(24, -1); // max_mr_size
        in.putInt(52, 1048560); // max_qp
        in.putInt(76, 32767); // max_cqe
        in.putInt(164, 27); // max_srq_sge
        in.putShort(168, (short) 0xfffe); // max_pkeys
        in.put(170, (byte) 15); // local_ca_ack_delay
        in.put(171, (byte) 255); // phys_port_cnt
        DeviceAttr device = DeviceAttrBytes.decode(in, 0);
        assertThat(device.nodeGuid()).isEqualTo(0xb4d2_24ff_fe16_98a4L);
        assertThat(device.sysImageGuid()).isEqualTo(0xb4d2_24ff_fe16_98a5L);
        assertThat(device.maxMrSize()).isEqualTo(-1);
        assertThat(device.maxQp()).isEqualTo(1048560);
        assertThat(device.maxCqe()).isEqualTo(32767);
        assertThat(device.maxSrqSge()).isEqualTo(27);
        assertThat(device.maxPkeys()).isEqualTo(0xfffe);
        assertThat(device.localCaAckDelay()).isEqualTo(15);
        assertThat(device.physPortCnt()).isEqualTo(255);
    }

    /** The port of rxe on Linux 6.1. */
    @Test
    void decodesThePort() {
        ByteBuffer in = PoisonedBuffer.of(
                "00000100", // port_cap_flags
                "00008000", // max_msg_sz
                "00000000", // bad_pkey_cntr
                "00000000", // qkey_viol_cntr
                "00040000", // gid_tbl_len
                "0100", // pkey_tbl_len
                "0000", // lid
                "0000", // sm_lid
                "04", // state
                "05", // max_mtu
                "03", // active_mtu
                "00", // lmc
                "01", // max_vl_num
                "00", // sm_sl
                "00", // subnet_timeout
                "00", // init_type_reply
                "01", // active_width
                "08", // active_speed
                "05", // phys_state
                "02", // link_layer
                "01", // flags
                "00"); // reserved
        assertThat(PortAttrBytes.decode(in, 0))
                .isEqualTo(new PortAttr(
                        0x10000,
                        8 << 20,
                        0,
                        0,
                        1024,
                        1,
                        0,
                        0,
                        PortAttr.State.ACTIVE.code(),
                        PathMtu.MTU_4096.code(),
                        PathMtu.MTU_1024.code(),
                        0,
                        1,
                        0,
                        0,
                        0,
                        1,
                        8,
                        5,
                        LinkLayer.ETHERNET.code(),
                        1));
    }

    @Test
    void decodesANewQueuePair() {
        ByteBuffer in = PoisonedBuffer.of(
                "02000000", // qp_handle
                "11000000", // qpn
                "0f000000 1f000000 03000000 05000000 30000000", // cap
                "a5a5a5a5"); // reserved
        assertThat(OpenQpReply.decode(in, 0)).isEqualTo(new OpenQpReply(2, 17, new QpCap(15, 31, 3, 5, 48)));
    }

    @Test
    void decodesEvents() {
        ByteBuffer comp = PoisonedBuffer.of("efcdab89 67452301");
        assertThat(CompEventDesc.cqHandle(comp, 0)).isEqualTo(0x0123_4567_89ab_cdefL);
        ByteBuffer async = PoisonedBuffer.of("01000000 00000000", "09000000", "a5a5a5a5");
        assertThat(AsyncEventDesc.decode(async, 0)).isEqualTo(new AsyncEventDesc(1, AsyncEventType.PORT_ACTIVE.code()));
    }

    @Test
    void decodesAGidEntry() {
        ByteBuffer in = PoisonedBuffer.of(
                "00000000 00000000 0000ffff c0a80102", // gid
                "01000000", // gid_index
                "01000000", // port_num
                "02000000", // gid_type
                "03000000"); // netdev_ifindex
        assertThat(GidEntryBytes.decode(in, 0))
                .isEqualTo(new GidEntry(new Gid(0, 0xffff_c0a8_0102L), 1, 1, GidEntry.Type.ROCE_V2.code(), 3));
    }
}
