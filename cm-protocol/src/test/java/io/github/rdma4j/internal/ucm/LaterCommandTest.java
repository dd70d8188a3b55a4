// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import static io.github.rdma4j.support.PoisonedBuffer.encoded;
import static io.github.rdma4j.support.PoisonedBuffer.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.IbServiceRecord;
import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.internal.ucm.ConnectionRequests.NotifyCommand;
import io.github.rdma4j.internal.ucm.EventParam.UserParam;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.internal.ucm.IbService.IbServiceRecordBytes;
import io.github.rdma4j.internal.ucm.IbService.QueryIbServiceReply;
import io.github.rdma4j.internal.ucm.IbService.ResolveIbServiceCommand;
import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.IdCommands.MigrateIdCommand;
import io.github.rdma4j.internal.ucm.IdCommands.MigrateReply;
import io.github.rdma4j.internal.ucm.SetOption.OptionNames;
import io.github.rdma4j.internal.ucm.UcmCommand.LaterCommands;
import io.github.rdma4j.support.PoisonedBuffer;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Commands beside the way of a connection: options, migration, multicast, services and user events. */
class LaterCommandTest {
    private static final long RESPONSE = 0x7f12_3456_789aL;
    private static final String RESPONSE_HEX = "9a785634 127f0000";

    @Test
    void encodesSetOption() {
        SetOption.Command tos = new SetOption.Command(3, OptionNames.RDMA_OPTION_ID, OptionNames.RDMA_OPTION_ID_TOS, 1);
        assertThat(encoded(24, (out, base) -> tos.encode(out, base, RESPONSE)))
                .isEqualTo(hex(
                        RESPONSE_HEX, // optval
                        "03000000", // id
                        "00000000", // level
                        "00000000", // optname
                        "01000000")); // optlen
    }

    @Test
    void encodesNotify() {
        assertThat(encoded(8, new NotifyCommand(3, 4)::encode)).isEqualTo(hex("03000000", "04000000"));
    }

    @Test
    void encodesMigrateId() {
        assertThat(encoded(16, (out, base) -> new MigrateIdCommand(3, 9).encode(out, base, RESPONSE)))
                .isEqualTo(hex(RESPONSE_HEX, "03000000", "09000000"));
    }

    @Test
    void decodesTheReplyToMigrateId() {
        assertThat(MigrateReply.decode(PoisonedBuffer.of("07000000"), 0).eventsReported())
                .isEqualTo(7);
    }

    @Test
    void encodesJoinMcast() {
        SocketAddress group = new InetSocketAddress("239.1.2.3", 0);
        JoinMcastCommand join = new JoinMcastCommand(0x42, 3, GroupMembership.Mode.SEND_ONLY_FULL_MEMBER.code(), group);
        assertThat(encoded(152, (out, base) -> join.encode(out, base, RESPONSE)))
                .isEqualTo(hex(
                        RESPONSE_HEX,
                        "42000000 00000000", // uid
                        "03000000", // id
                        "1000", // addr_size
                        "0100", // join_flags
                        "0200 0000 ef010203", // addr
                        "00".repeat(120)));
    }

    @Test
    void encodesLeaveMcast() {
        assertThat(encoded(16, (out, base) -> new DestroyIdCommand(5).encode(out, base, RESPONSE)))
                .isEqualTo(hex(RESPONSE_HEX, "05000000", "00000000"));
    }

    @Test
    void encodesResolveIbService() {
        ResolveIbServiceCommand byName =
                new ResolveIbServiceCommand(3, 0x1122, "abc", LaterCommands.RDMA_USER_CM_IB_SERVICE_FLAG_NAME);
        assertThat(encoded(88, byName::encode))
                .isEqualTo(hex(
                        "03000000",
                        "00000000",
                        "22110000 00000000", // service_id
                        "616263",
                        "00".repeat(61), // service_name
                        "02000000", // flags
                        "00000000"));
    }

    @Test
    void refusesAServiceNameThatHasNoRoomForItsEnd() {
        assertThat(new ResolveIbServiceCommand(3, 0, "n".repeat(63), 2).serviceName())
                .hasSize(63);
        assertThatThrownBy(() -> new ResolveIbServiceCommand(3, 0, "n".repeat(64), 2))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void encodesWriteCmEvent() {
        WriteCmEventCommand user = new WriteCmEventCommand(3, CmEventType.USER.code(), 7, 0x1122334455667788L);
        assertThat(encoded(320, user::encode))
                .isEqualTo(hex(
                        "03000000",
                        "00000000",
                        "12000000", // event
                        "07000000", // status
                        "88776655 44332211", // arg
                        "00".repeat(296)));
    }

    @Test
    void decodesAUsersEvent() {
        ByteBuffer in = PoisonedBuffer.of(
                "42000000 00000000", // uid
                "03000000", // id
                "12000000", // event
                "f9ffffff", // status
                "88776655 44332211", // arg, at an offset of 4 more than a multiple of 8
                "00".repeat(308));
        EventReply event = EventReply.decode(in, 0, true);
        assertThat(event.param()).isEqualTo(new UserParam(0x1122334455667788L));
        assertThat(event.status()).isEqualTo(-7);
        assertThat(event.param().privateData()).isEmpty();
    }

    @Test
    void decodesServices() {
        ByteBuffer in = PoisonedBuffer.of(
                "02000000", // num_service_recs, one more than there is room for
                "00000000",
                "00000000 00001122", // id
                "fe800000 00000000 b4d224ff fe1698a4", // gid
                "ffff", // pkey
                "0000",
                "00000e10", // lease
                "00".repeat(16), // key
                "616263",
                "00".repeat(61), // name
                "00".repeat(64)); // data
        QueryIbServiceReply reply = QueryIbServiceReply.decode(in, 0, QueryIbServiceReply.bytes(1));
        assertThat(reply.total()).isEqualTo(2);
        assertThat(reply.records())
                .containsExactly(new IbServiceRecord(
                        0x1122, Gid.parse("fe80:0000:0000:0000:b4d2:24ff:fe16:98a4"), 0xffff, 3600, "abc"));
    }

    @Test
    void takesAServiceNameWithoutAnEnd() {
        byte[] record = new byte[IbServiceRecordBytes.BYTES];
        byte[] name = "x".repeat(64).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(name, 0, record, IbServiceRecordBytes.NAME, name.length);
        assertThat(IbServiceRecordBytes.decode(ByteBuffer.wrap(record), 0).name())
                .hasSize(64);
    }

    @Test
    void refusesACountBelowZero() {
        ByteBuffer in = PoisonedBuffer.of("ffffffff", "00000000");
        assertThatThrownBy(() -> QueryIbServiceReply.decode(in, 0, 8)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void encodesAnInfinibandAddressAndReadsItBack() {
        Gid gid = Gid.parse("fe80:0000:0000:0000:b4d2:24ff:fe16:98a4");
        IbSocketAddress address = new IbSocketAddress(0xffff, gid, 0x01061e61L, -1, 0);
        assertThat(encoded(
                        48,
                        (out, base) ->
                                assertThat(SockAddr.encode(out, base, address)).isEqualTo(48)))
                .isEqualTo(hex(
                        "1b00", // sib_family
                        "ffff", // sib_pkey
                        "00000000", // sib_flowinfo
                        "fe800000 00000000 b4d224ff fe1698a4", // sib_addr
                        "00000000 01061e61", // sib_sid
                        "ffffffff ffffffff", // sib_sid_mask
                        "00000000 00000000")); // sib_scope_id
        assertThat(address.port()).isEqualTo(0x1e61);
        ByteBuffer buffer = PoisonedBuffer.of("00".repeat(48));
        SockAddr.encode(buffer, 0, address);
        assertThat(SockAddr.decode(buffer, 0, 48)).isEqualTo(address).hasSameHashCodeAs(address);
    }

    @Test
    void refusesAnAddressOfAnotherKind() {
        SocketAddress other = java.net.UnixDomainSocketAddress.of("x");
        assertThatThrownBy(() -> SockAddr.encode(PoisonedBuffer.of("00".repeat(48)), 0, other))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
