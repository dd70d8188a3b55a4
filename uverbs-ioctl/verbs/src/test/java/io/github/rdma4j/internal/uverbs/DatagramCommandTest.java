// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import static io.github.rdma4j.support.PoisonedBuffer.encodedInZeros;
import static io.github.rdma4j.support.PoisonedBuffer.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.uverbs.AhAttrBytes.CreateAh;
import io.github.rdma4j.internal.uverbs.QpCommands.AttachMcast;
import io.github.rdma4j.internal.uverbs.Srq.SrqAttr;
import io.github.rdma4j.internal.uverbs.Srq.SrqAttrBytes;
import io.github.rdma4j.internal.uverbs.Srq.SrqAttrMask;
import io.github.rdma4j.support.PoisonedBuffer;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The commands of address handles, multicast groups and shared receive queues. */
class DatagramCommandTest {
    private static final String NO_RESPONSE = "00000000 00000000";
    private static final Gid GROUP = new Gid(0, 0xffff_ef01_0203L);

    @Test
    void encodesCreateAh() {
        CreateAh command = new CreateAh(0x42, 3, AhAttr.to(GROUP, 1, 2));
        assertThat(encodedInZeros(56, command::encode))
                .isEqualTo(hex(
                        NO_RESPONSE,
                        "42000000 00000000", // user_handle
                        "03000000", // pd_handle
                        "00000000", // reserved
                        "00000000 00000000 0000ffff ef010203", // dgid
                        "00000000", // flow_label
                        "01", // sgid_index
                        "40", // hop_limit
                        "00", // traffic_class
                        "00", // reserved
                        "0000", // dlid
                        "00", // sl
                        "00", // src_path_bits
                        "00", // static_rate
                        "01", // is_global
                        "02", // port_num
                        "00")); // reserved
    }

    @Test
    void encodesQuerySrq() {
        String handle = hex(NO_RESPONSE, "07000000", "00000000");
        assertThat(encodedInZeros(16, new Srq.QueryCommand(7)::encode)).isEqualTo(handle);
    }

    @Test
    void encodesAttachMcast() {
        assertThat(encodedInZeros(24, new AttachMcast(GROUP, 6, 0xc001)::encode))
                .isEqualTo(hex(
                        "00000000 00000000 0000ffff ef010203", // gid
                        "06000000", // qp_handle
                        "01c0", // mlid
                        "0000")); // reserved
        assertThatThrownBy(() -> encodedInZeros(24, new AttachMcast(GROUP, 6, 0x1_0000)::encode))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void encodesModifySrq() {
        assertThat(encodedInZeros(16, new Srq.ModifyCommand(5, SrqAttrMask.IBV_SRQ_LIMIT, 0, 9)::encode))
                .isEqualTo(hex(
                        "05000000", // srq_handle
                        "02000000", // attr_mask
                        "00000000", // max_wr
                        "09000000")); // srq_limit
    }

    @Test
    void decodesReplies() {
        ByteBuffer in = PoisonedBuffer.of("a5a5a5a5", "01000000 02000000 03000000 04000000");
        assertThat(SrqAttrBytes.decode(in, 4)).isEqualTo(new SrqAttr(1, 2, 3));
    }
}
