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
import java.util.Arrays;
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

    /** Every byte has another value, so that a member read from the place of another shows. */
    @Test
    void readsEveryMemberFromItsPlace() {
        byte[] bytes = new byte[QpAttrBytes.BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        Arrays.fill(bytes, 0, Integer.BYTES, (byte) -1); // qp_attr_mask
        assertThat(QpAttrBytes.decode(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 0))
                .hasToString("QpAttr[state=117835012, curState=185207048, pathMtu=252579084, pathMigState=319951120, "
                        + "qkey=0x17161514, rqPsn=454695192, sqPsn=522067228, destQpNum=589439264, access=0x27262524, "
                        + "ahAttr=AhAttr[dgid=2829:2a2b:2c2d:2e2f:3031:3233:3435:3637, flowLabel=993671480, "
                        + "sgidIndex=60, hopLimit=61, trafficClass=62, dlid=16704, sl=66, srcPathBits=67, "
                        + "staticRate=68, portNum=70, global], "
                        + "altAhAttr=AhAttr[dgid=4849:4a4b:4c4d:4e4f:5051:5253:5455:5657, flowLabel=1532647768, "
                        + "sgidIndex=92, hopLimit=93, trafficClass=94, dlid=24928, sl=98, srcPathBits=99, "
                        + "staticRate=100, portNum=102, global], cap=QpCap[maxSendWr=1802135912, "
                        + "maxReceiveWr=1869507948, maxSendSge=1936879984, maxReceiveSge=2004252020, "
                        + "maxInline=2071624056], pkeyIndex=32124, altPkeyIndex=32638, enSqdAsyncNotify=true, "
                        + "maxRdAtomic=130, maxDestRdAtomic=131, minRnrTimer=132, portNum=133, timeout=134, "
                        + "retryCnt=135, rnrRetry=136, altPortNum=137, altTimeout=138]");
    }

    @ParameterizedTest
    @Seeds
    void survivesAnyBytes(long seed) {
        Cases.run(seed, 1_000, random -> {
            byte[] bytes = Draw.bytes(random, QpAttrBytes.BYTES);
            ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            QpAttr attr = QpAttrBytes.decode(in, 0);
            assertThat(attr.toBuilder().build()).isEqualTo(attr);
            assertThat(attr.toString()).startsWith("QpAttr[");
        });
    }
}
