// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetriesTest {
    @Test
    void theProgramHasWhatItAsksForWithinTheKernelsLimit() {
        assertThat(Retries.of((byte) 0)).isZero();
        assertThat(Retries.of((byte) 3)).isEqualTo(3);
        assertThat(Retries.of((byte) 200)).isEqualTo(7);
    }

    @Test
    void thePropertyIsTheLeast() {
        assertThat(Retries.of((byte) 0, "7")).isEqualTo(7);
        assertThat(Retries.of((byte) 5, "2")).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"8", "-1", "", "seven"})
    void anythingButANumberFrom0To7IsRefused(String least) {
        assertThatThrownBy(() -> Retries.of((byte) 0, least))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the system property rdma4j.disni.retries is \"" + least
                        + "\", and must be a number from 0 to 7");
    }
}
