// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.rsocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.rsocket.StreamSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The protocol relies on the ranges: nothing below checks sizes again. */
class RsocketOptionsTest {
    private final RsocketOptions.Builder options = RsocketOptions.builder();

    @Test
    void sizesOutsideTheRangeAreRefused() {
        assertThatThrownBy(() -> options.sendQueue(15))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sendQueue is 15; it must be from 16 to 65535");
        assertThatThrownBy(() -> options.sendQueue(65_536)).hasMessageContaining("from 16 to 65535");
        assertThatThrownBy(() -> options.receiveQueue(15)).hasMessageContaining("from 16 to 65535");
        assertThatThrownBy(() -> options.receiveBuffer(4095)).hasMessageContaining("from 4096 to 1073741824");
        assertThatThrownBy(() -> options.sendBuffer(4095)).hasMessageContaining("from 4096 to 1073741824");
        assertThatThrownBy(() -> options.inline(1025)).hasMessageContaining("from 0 to 1024");
        assertThatThrownBy(() -> options.iomaps(-1)).hasMessageContaining("from 0 to 128");
        assertThatThrownBy(() -> options.iomaps(129)).hasMessageContaining("from 0 to 128");
        assertThatThrownBy(() -> options.linger(Duration.ofNanos(-1))).hasMessageContaining("zero or more");
        assertThatThrownBy(() -> options.connectTimeout(Duration.ZERO)).hasMessageContaining("more than zero");
    }

    @Test
    void eachOptionHasItsOwnValueAlsoInABuilderThatStartsWithOthers() {
        StreamSettings made = options
                .sendQueue(16)
                .receiveQueue(65_535)
                .inline(7)
                .connectTimeout(Duration.ofSeconds(1))
                .linger(Duration.ofSeconds(2))
                .polling(Duration.ofSeconds(3))
                .keepAlive(Duration.ofSeconds(4))
                .receiveBuffer(5001)
                .sendBuffer(6001)
                .iomaps(8)
                .build()
                .toBuilder()
                .build()
                .settings();
        assertThat(made.queues()).isEqualTo(new StreamSettings.QueueSizes(16, 65_535, 7));
        assertThat(made.times())
                .isEqualTo(new StreamSettings.Times(
                        Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofSeconds(4)));
        assertThat(made.receiveBytes()).as("even").isEqualTo(5000);
        assertThat(made.sendBytes()).isEqualTo(6001);
        assertThat(made.iomaps()).isEqualTo(8);
    }
}
