// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.Ece;
import io.github.rdma4j.internal.ucm.EventParam.UserParam;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.internal.ucm.IdCommands.CreateIdReply;
import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdReply;
import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.Query.QueryGidReply;
import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Draw;
import io.github.rdma4j.support.PoisonedBuffer;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

class ReplyTest {
    private static final String SRC = "0200 1e61 c0a80102" + "00".repeat(120);
    private static final String DST = "0200 1e62 c0a80103" + "00".repeat(120);

    @Test
    void decodesIds() {
        ByteBuffer in = PoisonedBuffer.of("a5a5a5a5", "03000000");
        assertThat(CreateIdReply.decode(in, 4)).isEqualTo(new CreateIdReply(3));
        assertThat(DestroyIdReply.decode(in, 4)).isEqualTo(new DestroyIdReply(3));
    }

    @Test
    void decodesAddresses() {
        ByteBuffer in = PoisonedBuffer.of(
                "b4d224ff fe1698a4", // node_guid
                "01", // port_num
                "a5", // reserved
                "ffff", // pkey
                "1000", // src_size
                "1000", // dst_size
                SRC,
                DST,
                "02000000", // ibdev_index
                "a5a5a5a5"); // reserved1
        assertThat(QueryAddrReply.decode(in, 0))
                .isEqualTo(new QueryAddrReply(
                        0xb4d2_24ff_fe16_98a4L,
                        1,
                        0xffff,
                        new InetSocketAddress("192.168.1.2", 7777),
                        new InetSocketAddress("192.168.1.3", 7778),
                        2));
    }

    @Test
    void decodesAnIdThatIsNotBoundFromAnOldKernel() {
        ByteBuffer in = ByteBuffer.allocate(284).order(ByteOrder.LITTLE_ENDIAN);
        QueryAddrReply.prefill(in, 4);
        assertThat(QueryAddrReply.decode(in, 4)).isEqualTo(new QueryAddrReply(0, 0, 0, null, null, Query.NO_INDEX));
    }

    @Test
    void prefillLeavesNothingOfAnOlderReply() {
        assertThat(PoisonedBuffer.encoded(280, QueryAddrReply::prefill))
                .isEqualTo("00".repeat(272) + "ffffffff" + "00000000");
    }

    @Test
    void decodesGids() {
        ByteBuffer in = PoisonedBuffer.of(
                "b4d224ff fe1698a4", // node_guid
                "01 00 ffff", // port_num, reserved, pkey
                "3000 3000", // src_size, dst_size
                ib("c0a80102"),
                ib("c0a80103"),
                "02000000 00000000"); // ibdev_index, reserved1
        assertThat(QueryGidReply.decode(in, 0))
                .isEqualTo(new QueryGidReply(new Gid(0, 0xffff_c0a8_0102L), new Gid(0, 0xffff_c0a8_0103L)));
    }

    private static String ib(String ip) {
        return "1b00" // sib_family
                + "ffff" // sib_pkey
                + "00000000" // sib_flowinfo
                + "00000000 00000000 0000ffff" + ip // sib_addr
                + "00000000 01061e61" // sib_sid
                + "ffffffff ffffffff" // sib_sid_mask
                + "00000000 00000000" // sib_scope_id
                + "00".repeat(80);
    }

    @Test
    void refusesAGidOfAnotherFamily() {
        ByteBuffer in = ByteBuffer.allocate(280).order(ByteOrder.LITTLE_ENDIAN);
        assertThatThrownBy(() -> QueryGidReply.decode(in, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("offset 16");
    }

    @Test
    void decodesAnEventOfAConnection() {
        ByteBuffer in = PoisonedBuffer.of(
                "42000000 00000000", // uid
                "03000000", // id
                "04000000", // event
                "00000000", // status
                "11000000", // qp_num
                "00000000", // qkey
                "0102" + "00".repeat(254), // private_data
                "38", // private_data_len
                "00 02 03 00 07 06 00", // srq .. valid
                "a5".repeat(32), // the rest of the union
                "a5a5a5a5", // reserved
                "c9020000 01000000"); // ece
        EventReply event = EventReply.decode(in, 0, false);
        byte[] privateData = new byte[56];
        privateData[0] = 1;
        privateData[1] = 2;
        ConnParam conn = new ConnParam(17, 0, privateData, false, 2, 3, 0, 7, 6);
        assertThat(event)
                .isEqualTo(new EventReply(0x42, 3, CmEventType.CONNECT_REQUEST.code(), 0, conn, new Ece(0x2c9, 1)));
    }

    @Test
    void decodesAnEventOfDatagrams() {
        ByteBuffer in = PoisonedBuffer.of(
                "42000000 00000000", // uid
                "03000000", // id
                "0c000000", // event
                "92ffffff", // status
                "ffffff00", // qp_num
                "67452301", // qkey
                "00000000 00000000 0000ffff ef010203", // ah_attr: dgid
                "00000000 01 40 00 00 0000 00 00 00 01 01 00", // ah_attr: flow_label .. reserved
                "00".repeat(256), // private_data
                "00", // private_data_len
                "a5a5a5a5a5a5a5", // reserved
                "a5a5a5a5", // reserved
                "00000000 00000000"); // ece
        EventReply event = EventReply.decode(in, 0, true);
        AhAttr group = new AhAttr(new Gid(0, 0xffff_ef01_0203L), 0, 1, 64, 0, 0, 0, 0, 0, true, 1);
        assertThat(event.status()).isEqualTo(-110);
        assertThat(event.event()).isEqualTo(CmEventType.MULTICAST_JOIN.code());
        assertThat(event.param())
                .usingRecursiveComparison()
                .isEqualTo(new UdParam(0xffffff, 0x1234567, group, new byte[0]));
    }

    @ParameterizedTest
    @Seeds
    void decodesAnyEvent(long seed) {
        Cases.run(seed, 1_000, random -> {
            byte[] bytes = Draw.bytes(random, EventReply.BYTES);
            boolean ud = random.nextBoolean();
            ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            EventReply event = EventReply.decode(in, 0, ud);
            int length = bytes[ud ? 20 + 296 : 20 + 264] & 0xff; // private_data_len
            if (event.param() instanceof UserParam user) {
                assertThat(user.arg()).isEqualTo(in.getLong(20));
            } else if (event.event() != CmEventType.MULTICAST_JOIN.code()) {
                assertThat(event.param().privateData()).hasSize(length);
                assertThat(ud ? ((UdParam) event.param()).qpNum() : ((ConnParam) event.param()).qpNum())
                        .isEqualTo(in.getInt(20));
            }
        });
    }
}
