// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Draw;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

class ConnParamTest {
    private static final AhAttr PEER = new AhAttr(new Gid(0, 0xffff_c0a8_0102L), 0, 1, 64, 0, 0, 0, 0, 0, true, 1);

    @Test
    void keepsItsOwnPrivateData() {
        byte[] privateData = {1};
        ConnParam conn = conn(privateData);
        UdParam ud = new UdParam(17, 1, PEER, privateData);
        privateData[0] = 2;
        conn.privateData()[0] = 3;
        ud.privateData()[0] = 3;
        assertThat(conn.privateData()).containsExactly(1);
        assertThat(ud.privateData()).containsExactly(1);
    }

    @Test
    void comparesPrivateDataByContent() {
        assertThat(conn(new byte[] {1}))
                .isEqualTo(conn(new byte[] {1}))
                .hasSameHashCodeAs(conn(new byte[] {1}))
                .isNotEqualTo(conn(new byte[] {1, 0}));
    }

    @Test
    void takesAsMuchPrivateDataAsTheLengthCanTell() {
        ByteBuffer buffer = buffer();
        ConnParam conn = conn(new byte[255]);
        conn.encode(buffer, 0, true);
        assertThat(ConnParam.decode(buffer, 0)).isEqualTo(conn);
        assertThatThrownBy(() -> conn(new byte[256]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("256");
        assertThatThrownBy(() -> new UdParam(17, 1, PEER, new byte[256]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("256");
    }

    @Test
    void doesNotPrintPrivateData() {
        assertThat(conn(new byte[] {1, 2}).toString()).contains("privateData=2 bytes");
        assertThat(new UdParam(17, 1, PEER, new byte[] {1, 2}).toString()).contains("privateData=2 bytes");
    }

    @ParameterizedTest
    @Seeds
    void survives(long seed) {
        Cases.run(seed, 1_000, random -> {
            int qpNum = Draw.anyInt(random);
            byte[] privateData = Draw.bytesUpTo(random, 255);
            boolean srq = random.nextBoolean();
            int octet = Draw.within(random, 0, 0xff);
            ConnParam conn =
                    new ConnParam(qpNum, ~qpNum, privateData, srq, octet, octet ^ 1, octet ^ 2, octet ^ 3, octet ^ 4);
            ByteBuffer buffer = buffer();
            conn.encode(buffer, 4, true);
            assertThat(ConnParam.decode(buffer, 4)).isEqualTo(conn);
        });
    }

    private static ConnParam conn(byte[] privateData) {
        return new ConnParam(17, 0, privateData, false, 1, 1, 0, 7, 7);
    }

    private static ByteBuffer buffer() {
        return ByteBuffer.allocate(320).order(ByteOrder.LITTLE_ENDIAN);
    }
}
