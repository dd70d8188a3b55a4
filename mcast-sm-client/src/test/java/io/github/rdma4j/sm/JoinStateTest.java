// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JoinStateTest {
    @Test
    void everySetHasItsBits() {
        for (int bits = 0; bits < 16; bits++) {
            assertThat(JoinState.bits(JoinState.ofBits(bits))).isEqualTo(bits);
        }
        assertThat(JoinState.ofBits(9)).isEqualTo(Set.of(JoinState.FULL_MEMBER, JoinState.SEND_ONLY_FULL_MEMBER));
        assertThat(JoinState.bits(List.of(JoinState.NON_MEMBER, JoinState.NON_MEMBER)))
                .isEqualTo(2);
    }

    @Test
    void aFifthBitIsNone() {
        assertThatThrownBy(() -> JoinState.ofBits(0x10)).hasMessage("a join state has four bits, not 0x10");
    }
}
