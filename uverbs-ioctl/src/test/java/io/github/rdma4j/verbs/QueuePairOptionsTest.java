// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueuePairOptionsTest {
    @Test
    void areReliableConnectedWithoutCompletionQueuesUnlessSet() {
        QueuePairOptions options = new QueuePairOptions();
        assertThat(options.type()).isEqualTo(QueuePairType.RC);
        assertThat(options.hasSendCq()).isFalse();
        assertThat(options.hasReceiveCq()).isFalse();
        assertThat(options.srq()).isNull();
        assertThat(options.maxSendWr()).isEqualTo(16);
        assertThat(options.maxReceiveWr()).isEqualTo(16);
    }

    @Test
    void copyIsIndependent() {
        QueuePairOptions options =
                new QueuePairOptions().type(QueuePairType.UD).maxSendWr(3).maxReceiveWr(5);
        QueuePairOptions copy = options.copy();
        options.type(QueuePairType.UC).maxSendWr(30).maxReceiveWr(50);
        assertThat(copy.type()).isEqualTo(QueuePairType.UD);
        assertThat(copy.maxSendWr()).isEqualTo(3);
        assertThat(copy.maxReceiveWr()).isEqualTo(5);
    }
}
