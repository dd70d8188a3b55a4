// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import static io.github.rdma4j.support.PoisonedBuffer.encodedInZeros;
import static io.github.rdma4j.support.PoisonedBuffer.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.uverbs.ModifyQp;
import io.github.rdma4j.internal.uverbs.ModifyQp.QpAttrMask;
import io.github.rdma4j.internal.uverbs.QpCommands.QueryQpReply;
import io.github.rdma4j.support.PoisonedBuffer;
import java.nio.ByteBuffer;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QpAttrTest {
    private static final String NO_ADDRESS = "00".repeat(32);
    private static final AhAttr PEER = new AhAttr(new Gid(0, 0xffff_c0a8_0102L), 0, 1, 64, 0, 0, 0, 0, 0, true, 1);

    @Test
    void setsTheMaskOfResetToInit() {
        QpAttr attr = QpAttr.builder()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNum(1)
                .access(Set.of(Access.REMOTE_WRITE))
                .build();
        assertThat(attr.mask()).isEqualTo(0x39);
        assertThat(attr).hasToString("QpAttr[state=INIT, access=0x2, pkeyIndex=0, portNum=1]");
    }

    @Test
    void setsTheMaskOfInitToRtr() {
        QpAttr attr = QpAttr.builder()
                .state(QpState.RTR)
                .ahAttr(PEER)
                .pathMtu(PathMtu.MTU_1024)
                .destQpNum(17)
                .rqPsn(0)
                .maxDestRdAtomic(1)
                .minRnrTimer(12)
                .build();
        assertThat(attr.mask()).isEqualTo(0x12_9181);
    }

    @Test
    void setsTheMaskOfRtrToRts() {
        QpAttr attr = QpAttr.builder()
                .state(QpState.RTS)
                .timeout(14)
                .retryCnt(7)
                .rnrRetry(7)
                .sqPsn(0)
                .maxRdAtomic(1)
                .build();
        assertThat(attr.mask()).isEqualTo(0x1_2e01);
    }

    @Test
    void setsTheOtherBits() {
        assertThat(QpAttr.builder().curState(QpState.RTS).build().mask()).isEqualTo(QpAttrMask.IBV_QP_CUR_STATE);
        assertThat(QpAttr.builder().enSqdAsyncNotify(true).build().mask())
                .isEqualTo(QpAttrMask.IBV_QP_EN_SQD_ASYNC_NOTIFY);
        assertThat(QpAttr.builder().qkey(1).build().mask()).isEqualTo(QpAttrMask.IBV_QP_QKEY);
        assertThat(QpAttr.builder().pathMigState(1).build().mask()).isEqualTo(QpAttrMask.IBV_QP_PATH_MIG_STATE);
        assertThat(QpAttr.builder().cap(new QpCap(1, 2, 3, 4, 5)).build().mask())
                .isEqualTo(QpAttrMask.IBV_QP_CAP);
        assertThat(QpAttr.builder()
                        .altAhAttr(PEER)
                        .altPkeyIndex(1)
                        .altPortNum(1)
                        .altTimeout(14)
                        .build()
                        .mask())
                .isEqualTo(QpAttrMask.IBV_QP_ALT_PATH);
        assertThat(QpAttr.builder().sqDraining(true).build().mask()).isZero();
    }

    @Test
    void changesACopyAlone() {
        QpAttr init = QpAttr.builder().state(QpState.INIT).build();
        QpAttr.Builder builder = init.toBuilder().state(QpState.RTR);
        QpAttr rtr = builder.build();
        builder.state(QpState.ERR).mask(0);
        assertThat(init.state()).isEqualTo(QpState.INIT);
        assertThat(rtr.state()).isEqualTo(QpState.RTR);
        assertThat(rtr.mask()).isEqualTo(QpAttrMask.IBV_QP_STATE);
        assertThat(rtr.toBuilder().state(QpState.INIT).build()).isEqualTo(init).hasSameHashCodeAs(init);
    }

    @Test
    void keepsNumbersWithoutAName() {
        QpAttr attr = QpAttr.builder()
                .rawState(77)
                .rawPathMtu(78)
                .rawAccess(0x40000002)
                .build();
        assertThat(attr.state()).isEqualTo(QpState.UNKNOWN);
        assertThat(attr.pathMtu()).isEqualTo(PathMtu.UNKNOWN);
        assertThat(attr.access()).containsExactly(Access.REMOTE_WRITE);
        assertThat(attr).hasToString("QpAttr[state=77, pathMtu=78, access=0x40000002]");
        assertThatThrownBy(() -> QpAttr.builder().state(QpState.UNKNOWN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the raw setter");
    }

    @Test
    void refusesValuesThatDoNotFit() {
        QpAttr.Builder builder = QpAttr.builder();
        assertThatThrownBy(() -> builder.portNum(256)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.pkeyIndex(0x10000)).isInstanceOf(IllegalArgumentException.class);
        assertThat(builder.build().mask()).isZero();
    }

    @Test
    void encodesModifyQp() {
        QpAttr attr = QpAttr.builder()
                .rawState(2)
                .rawCurState(1)
                .rawPathMtu(3)
                .pathMigState(4)
                .qkey(0x11)
                .rqPsn(0x12)
                .sqPsn(0x13)
                .destQpNum(0x14)
                .rawAccess(0x15)
                .ahAttr(PEER)
                .altAhAttr(AhAttr.NONE)
                .pkeyIndex(0x16)
                .altPkeyIndex(0x17)
                .enSqdAsyncNotify(true)
                .maxRdAtomic(0x18)
                .maxDestRdAtomic(0x19)
                .minRnrTimer(0x1a)
                .portNum(0x1b)
                .timeout(0x1c)
                .retryCnt(0x1d)
                .rnrRetry(0x1e)
                .altPortNum(0x1f)
                .altTimeout(0x20)
                .build();
        assertThat(encodedInZeros(112, new ModifyQp.Command(9, attr)::encode))
                .isEqualTo(hex(
                        "00000000 00000000 0000ffff c0a80102 00000000 0000 0000 01 40 00 00 00 00 01 01", // dest
                        NO_ADDRESS, // alt_dest
                        "09000000", // qp_handle
                        "ffff1700", // attr_mask: all but CAP
                        "11000000 12000000 13000000 14000000 15000000", // qkey .. qp_access_flags
                        "1600 1700", // pkey_index, alt_pkey_index
                        "02 01 03 04", // qp_state, cur_qp_state, path_mtu, path_mig_state
                        "01", // en_sqd_async_notify
                        "18 19 1a 1b 1c 1d 1e 1f 20", // max_rd_atomic .. alt_timeout
                        "0000")); // reserved
    }

    @Test
    void decodesQueryQp() {
        ByteBuffer in = PoisonedBuffer.of(
                "00000000 00000000 0000ffff c0a80102 00000000 0000 0000 01 40 00 00 00 00 01 01", // dest
                NO_ADDRESS, // alt_dest
                "0f000000 1f000000 03000000 05000000 30000000", // cap
                "11000000 12000000 13000000 14000000 15000000", // qkey .. qp_access_flags
                "1600 1700", // pkey_index, alt_pkey_index
                "03 02 04 05", // qp_state, cur_qp_state, path_mtu, path_mig_state
                "01", // sq_draining
                "18 19 1a 1b 1c 1d 1e 1f 20", // max_rd_atomic .. alt_timeout
                "01", // sq_sig_all
                "a5a5a5a5a5"); // reserved
        QpAttr reply = QueryQpReply.decode(in, 0);
        assertThat(reply.cap()).isEqualTo(new QpCap(15, 31, 3, 5, 48));
        assertThat(reply.mask()).isEqualTo(0x1f_ffff & ~QpAttrMask.IBV_QP_EN_SQD_ASYNC_NOTIFY);
        assertThat(reply.ahAttr()).isEqualTo(PEER);
        assertThat(reply.altAhAttr()).isEqualTo(AhAttr.NONE);
        assertThat(reply.state()).isEqualTo(QpState.RTS);
        assertThat(reply.curState()).isEqualTo(QpState.RTR);
        assertThat(reply.sqDraining()).isTrue();
        assertThat(reply.enSqdAsyncNotify()).isFalse();
        assertThat(reply.destQpNum()).isEqualTo(0x14);
        assertThat(reply.altTimeout()).isEqualTo(0x20);
    }
}
