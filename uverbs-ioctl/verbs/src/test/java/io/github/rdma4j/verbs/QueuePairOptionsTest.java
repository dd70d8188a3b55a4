// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueuePairOptionsTest {
    @Test
    void areReliableConnectedWithoutCompletionQueuesUnlessSet() {
        QueuePairOptions options = QueuePairOptions.DEFAULT;
        assertThat(options.type()).isEqualTo(QueuePairType.RC);
        assertThat(options.sendCq()).isEmpty();
        assertThat(options.receiveCq()).isEmpty();
        assertThat(options.srq()).isEmpty();
        assertThat(options.maxSendWr()).isEqualTo(16);
        assertThat(options.maxReceiveWr()).isEqualTo(16);
    }

    @Test
    void doNotChangeWithTheirBuilder() {
        QueuePairOptions.Builder builder =
                QueuePairOptions.builder().type(QueuePairType.UD).maxSendWr(3).maxReceiveWr(5);
        QueuePairOptions options = builder.build();
        builder.type(QueuePairType.UC).maxSendWr(30).maxReceiveWr(50);
        assertThat(options.type()).isEqualTo(QueuePairType.UD);
        assertThat(options.maxSendWr()).isEqualTo(3);
        assertThat(options.maxReceiveWr()).isEqualTo(5);
    }

    @Test
    void areKeptByACopyThatChangesOneOption() {
        QueuePairOptions copy = QueuePairOptions.builder()
                .type(QueuePairType.UD)
                .maxSendWr(3)
                .maxReceiveWr(5)
                .maxSendSge(2)
                .maxReceiveSge(4)
                .signalAll(true)
                .build()
                .toBuilder()
                .maxInline(64)
                .build();
        assertThat(copy).asString().contains(new QpCap(3, 5, 2, 4, 64).toString());
        assertThat(copy.type()).isEqualTo(QueuePairType.UD);
        assertThat(copy.signalAll()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE})
    void refuseNegativeSizesWithTheAcceptedRange(int size) {
        QueuePairOptions.Builder pair = QueuePairOptions.builder();
        SharedReceiveQueueOptions.Builder shared = SharedReceiveQueueOptions.builder();
        assertNegative("maxSendWr", size, () -> pair.maxSendWr(size));
        assertNegative("maxReceiveWr", size, () -> pair.maxReceiveWr(size));
        assertNegative("maxSendSge", size, () -> pair.maxSendSge(size));
        assertNegative("maxReceiveSge", size, () -> pair.maxReceiveSge(size));
        assertNegative("maxInline", size, () -> pair.maxInline(size));
        assertNegative("maxReceiveWr", size, () -> shared.maxReceiveWr(size));
        assertNegative("maxReceiveSge", size, () -> shared.maxReceiveSge(size));
        assertNegative("limit", size, () -> shared.limit(size));
        assertThatThrownBy(() -> new SendWorkRequest(size)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ReceiveWorkRequest(size)).isInstanceOf(IllegalArgumentException.class);
    }

    private static void assertNegative(String option, int size, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(option + " is " + size + "; it must be 0 or more");
    }

    @Test
    void ofSharedReceiveQueuesAreKeptByACopy() {
        SharedReceiveQueueOptions copy =
                SharedReceiveQueueOptions.builder().maxReceiveWr(9).limit(3).build().toBuilder()
                        .maxReceiveSge(2)
                        .build();
        assertThat(copy.maxReceiveWr()).isEqualTo(9);
        assertThat(copy.maxReceiveSge()).isEqualTo(2);
        assertThat(copy.limit()).isEqualTo(3);
    }
}
