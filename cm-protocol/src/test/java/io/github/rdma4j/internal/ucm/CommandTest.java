// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import static io.github.rdma4j.support.PoisonedBuffer.encoded;
import static io.github.rdma4j.support.PoisonedBuffer.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.Ece;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.ucm.AddressCommands.BindCommand;
import io.github.rdma4j.internal.ucm.AddressCommands.ResolveAddrCommand;
import io.github.rdma4j.internal.ucm.AddressCommands.ResolveRouteCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.AcceptCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.ConnectCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.DisconnectCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.ListenCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.RejectCommand;
import io.github.rdma4j.internal.ucm.IdCommands.CreateIdCommand;
import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.Query.QueryCommand;
import io.github.rdma4j.internal.ucm.Query.QueryOptions;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.internal.ucm.UcmCommand.CmHeader;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class CommandTest {
    private static final long RESPONSE = 0x7f12_3456_789aL;
    private static final String RESPONSE_HEX = "9a785634 127f0000";
    private static final ConnParam CONN = new ConnParam(17, 0x11, new byte[] {1, 2, 3}, true, 4, 5, 1, 7, 6);
    private static final String CONN_HEX = hex(
            "11000000", // qp_num
            "11000000", // qkey
            "010203",
            "00".repeat(253), // private_data
            "03", // private_data_len
            "01", // srq
            "04", // responder_resources
            "05", // initiator_depth
            "01", // flow_control
            "07", // retry_count
            "06", // rnr_retry_count
            "01"); // valid

    @Test
    void encodesTheHeader() {
        assertThat(encoded(8, new CmHeader(CmCommands.RDMA_USER_CM_CMD_RESOLVE_ADDR, 272, 0)::encode))
                .isEqualTo(hex(
                        "15000000", // cmd
                        "1001", // in
                        "0000")); // out
    }

    @Test
    void encodesCreateId() {
        CreateIdCommand command = new CreateIdCommand(0x42, PortSpace.TCP.code(), QueuePairType.RC.code());
        assertThat(encoded(24, (out, base) -> command.encode(out, base, RESPONSE)))
                .isEqualTo(hex(
                        "42000000 00000000", // uid
                        RESPONSE_HEX,
                        "0601", // ps
                        "02", // qp_type
                        "0000000000")); // reserved
    }

    @Test
    void encodesDestroyId() {
        assertThat(encoded(16, (out, base) -> new DestroyIdCommand(3).encode(out, base, RESPONSE)))
                .isEqualTo(hex(
                        RESPONSE_HEX,
                        "03000000", // id
                        "00000000")); // reserved
    }

    @Test
    void encodesBind() throws UnknownHostException {
        assertThat(encoded(136, new BindCommand(3, address(2))::encode))
                .isEqualTo(hex(
                        "03000000", // id
                        "1000", // addr_size
                        "0000", // reserved
                        "0200 1e61 c0a80102", // addr
                        "00".repeat(120)));
    }

    @Test
    void encodesResolveAddrWithASource() throws UnknownHostException {
        assertThat(encoded(272, new ResolveAddrCommand(3, 2000, address(2), address(3))::encode))
                .isEqualTo(hex(
                        "03000000", // id
                        "d0070000", // timeout_ms
                        "1000", // src_size
                        "1000", // dst_size
                        "00000000", // reserved
                        "0200 1e61 c0a80102", // src_addr
                        "00".repeat(120),
                        "0200 1e61 c0a80103", // dst_addr
                        "00".repeat(120)));
    }

    @Test
    void encodesResolveAddrWithoutASource() throws UnknownHostException {
        assertThat(encoded(272, new ResolveAddrCommand(3, 2000, null, address(3))::encode))
                .isEqualTo(hex(
                        "03000000", // id
                        "d0070000", // timeout_ms
                        "0000", // src_size
                        "1000", // dst_size
                        "00000000", // reserved
                        "00".repeat(128), // src_addr
                        "0200 1e61 c0a80103", // dst_addr
                        "00".repeat(120)));
    }

    @Test
    void encodesShortCommands() {
        assertThat(encoded(8, new ResolveRouteCommand(3, 2000)::encode)).isEqualTo(hex("03000000 d0070000"));
        assertThat(encoded(8, new ListenCommand(3, 16)::encode)).isEqualTo(hex("03000000 10000000"));
        assertThat(encoded(4, new DisconnectCommand(3)::encode)).isEqualTo("03000000");
        assertThat(encoded(8, (out, base) -> new GetEvent.Command().encode(out, base, RESPONSE)))
                .isEqualTo(hex(RESPONSE_HEX));
        assertThat(encoded(
                        16,
                        (out, base) ->
                                new QueryCommand(3, QueryOptions.RDMA_USER_CM_QUERY_GID).encode(out, base, RESPONSE)))
                .isEqualTo(hex(RESPONSE_HEX, "03000000 02000000"));
        assertThat(encoded(16, (out, base) -> new InitQpAttrCommand(3, QpState.RTR.code()).encode(out, base, RESPONSE)))
                .isEqualTo(hex(RESPONSE_HEX, "03000000 02000000"));
    }

    @Test
    void encodesConnect() {
        assertThat(encoded(288, new ConnectCommand(3, CONN, new Ece(0x2c9, 1))::encode))
                .isEqualTo(hex(
                        CONN_HEX, // conn_param
                        "03000000", // id
                        "00000000", // reserved
                        "c9020000 01000000")); // ece
    }

    @Test
    void encodesAcceptOfARequest() {
        assertThat(encoded(296, new AcceptCommand(3, 0x42, CONN, Ece.NONE)::encode))
                .isEqualTo(hex(
                        "42000000 00000000", // uid
                        CONN_HEX, // conn_param
                        "03000000", // id
                        "00000000", // reserved
                        "00000000 00000000")); // ece
    }

    @Test
    void encodesAcceptThatCompletesAConnection() {
        assertThat(encoded(296, new AcceptCommand(3, 0x42, null, Ece.NONE)::encode))
                .isEqualTo(hex(
                        "42000000 00000000", // uid
                        "00".repeat(272), // conn_param
                        "03000000", // id
                        "00000000", // reserved
                        "00000000 00000000")); // ece
    }

    @Test
    void encodesReject() {
        RejectCommand command = new RejectCommand(3, new byte[] {9, 8}, 28);
        assertThat(encoded(264, command::encode))
                .isEqualTo(hex(
                        "03000000", // id
                        "02", // private_data_len
                        "1c", // reason
                        "0000", // reserved
                        "0908",
                        "00".repeat(254))); // private_data
    }

    @Test
    void rejectKeepsItsOwnPrivateData() {
        byte[] privateData = {1};
        RejectCommand command = new RejectCommand(3, privateData, 0);
        privateData[0] = 2;
        assertThat(command.privateData()).containsExactly(1);
        assertThatThrownBy(() -> new RejectCommand(3, new byte[256], 0)).isInstanceOf(IllegalArgumentException.class);
    }

    private static InetSocketAddress address(int host) throws UnknownHostException {
        return new InetSocketAddress(
                InetAddress.getByAddress(new byte[] {(byte) 192, (byte) 168, 1, (byte) host}), 7777);
    }
}
