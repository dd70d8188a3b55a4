// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import static io.github.rdma4j.support.PoisonedBuffer.encoded;
import static io.github.rdma4j.support.PoisonedBuffer.encodedInZeros;
import static io.github.rdma4j.support.PoisonedBuffer.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.uverbs.CqCommands.ReqNotifyCq;
import io.github.rdma4j.internal.uverbs.CqCommands.ResizeCq;
import io.github.rdma4j.internal.uverbs.MemoryCommands.AllocMw;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegMr;
import io.github.rdma4j.internal.uverbs.MemoryCommands.ReregMr;
import io.github.rdma4j.internal.uverbs.QpCommands.OpenQp;
import io.github.rdma4j.internal.uverbs.QpCommands.PostSend;
import io.github.rdma4j.internal.uverbs.QpCommands.QueryQp;
import io.github.rdma4j.internal.uverbs.WriteCommand.WriteHeader;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class CommandTest {
    private static final long RESPONSE = 0x7f12_3456_789aL;
    private static final String RESPONSE_HEX = "9a785634 127f0000";
    private static final String NO_RESPONSE = "00000000 00000000";

    @Test
    void encodesTheHeaderOfWrite() {
        assertThat(encoded(8, (out, base) -> WriteHeader.encode(out, base, 28, 8, 1)))
                .isEqualTo(hex(
                        "1c000000", // command
                        "0800", // in_words
                        "0100")); // out_words
    }

    @Test
    void encodesCommandsOfMemoryWindows() {
        assertThat(encodedInZeros(16, new AllocMw(3, 2)::encode))
                .isEqualTo(hex(
                        NO_RESPONSE,
                        "03000000", // pd_handle
                        "02", // mw_type
                        "000000")); // reserved
    }

    @Test
    void encodesReregMr() {
        assertThat(encodedInZeros(48, new ReregMr(9, 5)::encode))
                .isEqualTo(hex(
                        NO_RESPONSE,
                        "09000000", // mr_handle
                        "04000000", // flags: the rights
                        "0000000000000000", // start
                        "0000000000000000", // length
                        "0000000000000000", // hca_va
                        "00000000", // pd_handle
                        "05000000")); // access_flags
    }

    @Test
    void encodesResizeCq() {
        assertThat(encodedInZeros(16, new ResizeCq(4, 100)::encode))
                .isEqualTo(hex(
                        NO_RESPONSE,
                        "04000000", // cq_handle
                        "64000000")); // cqe
    }

    @Test
    void encodesRegMr() {
        RegMr command = new RegMr(0x7f00_0000_1040L, 0x2000, 0x40, 3, 7);
        assertThat(encodedInZeros(40, command::encode))
                .isEqualTo(hex(
                        NO_RESPONSE,
                        "40100000 007f0000", // start
                        "00200000 00000000", // length
                        "40000000 00000000", // hca_va
                        "03000000", // pd_handle
                        "07000000")); // access_flags
    }

    @Test
    void encodesReqNotifyCq() {
        assertThat(encoded(8, (out, base) -> ReqNotifyCq.encode(out, base, 4, true)))
                .isEqualTo(hex(
                        "04000000", // cq_handle
                        "01000000")); // solicited_only
        assertThat(encoded(8, (out, base) -> ReqNotifyCq.encode(out, base, 4, false)))
                .isEqualTo(hex("04000000 00000000"));
    }

    @Test
    void encodesOpenXrcd() {
        assertThat(encodedInZeros(16, new XrcdCommands.OpenCommand(7, 0xc0)::encode))
                .isEqualTo(hex(
                        NO_RESPONSE,
                        "07000000", // fd
                        "c0000000")); // oflags: O_CREAT | O_EXCL
        assertThat(encodedInZeros(16, new XrcdCommands.OpenCommand(-1, 0x40)::encode))
                .isEqualTo(hex(NO_RESPONSE, "ffffffff", "40000000"));
    }

    @Test
    void encodesOpenQp() {
        OpenQp command = new OpenQp(0x42, 4, 0x12_3456, QueuePairType.XRC_TGT.code());
        assertThat(encodedInZeros(32, command::encode))
                .isEqualTo(hex(
                        NO_RESPONSE,
                        "42000000 00000000", // user_handle
                        "04000000", // pd_handle: the XRC domain
                        "56341200", // qpn
                        "0a", // qp_type
                        "00000000000000")); // reserved
    }

    @Test
    void encodesQueryQp() {
        assertThat(encodedInZeros(16, new QueryQp(7, 0x1f_ffff)::encode))
                .isEqualTo(hex(
                        NO_RESPONSE,
                        "07000000", // qp_handle
                        "ffff1f00")); // attr_mask
    }

    @Test
    void encodesTheDoorbell() {
        assertThat(encodedInZeros(24, (out, base) -> new PostSend(7, 56).encode(out, base, RESPONSE)))
                .isEqualTo(hex(
                        RESPONSE_HEX,
                        "07000000", // qp_handle
                        "00000000", // wr_count
                        "00000000", // sge_count
                        "38000000")); // wqe_size
    }

    @Test
    void refusesValuesThatDoNotFit() {
        ByteBuffer out = ByteBuffer.allocate(64);
        assertThatThrownBy(() -> new OpenQp(0, 0, 0, 256).encode(out, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("256 at offset 24 is not in 0..255");
        assertThatThrownBy(() -> WriteHeader.encode(out, 0, 0, -1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("-1 at offset 4 is not in 0..65535");
    }
}
