// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Draw;
import io.github.rdma4j.support.PoisonedBuffer;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

class QpAttrBytesTest {
    private static final String NO_ADDRESS = "00".repeat(32);

    /** What the connection manager returns for a datagram id. */
    @Test
    void decodesTheReplyToInitQpAttr() {
        ByteBuffer in = PoisonedBuffer.of(
                "71000000", // qp_attr_mask
                "01000000", // qp_state
                "00000000 00000000 00000000", // cur_qp_state, path_mtu, path_mig_state
                "67452301", // qkey
                "00000000 00000000 00000000 00000000", // rq_psn, sq_psn, dest_qp_num, qp_access_flags
                NO_ADDRESS, // ah_attr
                NO_ADDRESS, // alt_ah_attr
                "00000000 00000000 00000000 00000000 00000000", // cap
                "0000 0000", // pkey_index, alt_pkey_index
                "00 00 00 00 00", // en_sqd_async_notify .. min_rnr_timer
                "01", // port_num
                "00 00 00 00 00", // timeout .. alt_timeout
                "a5a5a5a5a5"); // reserved
        assertThat(QpAttrBytes.decode(in, 0))
                .isEqualTo(QpAttr.builder()
                        .state(QpState.INIT)
                        .pkeyIndex(0)
                        .portNum(1)
                        .qkey(0x0123_4567)
                        .build())
                .hasToString("QpAttr[state=INIT, qkey=0x1234567, pkeyIndex=0, portNum=1]");
    }

    @ParameterizedTest
    @Seeds
    void survivesAnyBytes(long seed) {
        Cases.run(seed, 1_000, random -> {
            byte[] bytes = Draw.bytes(random, QpAttrBytes.BYTES);
            ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            QpAttr attr = QpAttrBytes.decode(in, 0);
            ByteBuffer out = ByteBuffer.allocate(QpAttrBytes.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            QpAttrBytes.encode(attr, out, 0);
            assertThat(QpAttrBytes.decode(out, 0)).isEqualTo(attr);
            assertThat(attr.toBuilder().build()).isEqualTo(attr);
            assertThat(attr.toString()).startsWith("QpAttr[");
        });
    }
}
