// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.lab.providers.kernel.CardKernel;
import io.github.rdma4j.verbs.DeviceContext;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kernels and devices of every kind that fail or go away, and queue pairs that go. */
@Timeout(60)
class CardFaultsTest {
    @ParameterizedTest
    @EnumSource
    void saysThatTheLimitOfLockedMemoryIsReached(CardKind kind) throws Exception {
        CardKernel kernel = kind.withLittleLockedMemory().start();
        try (DeviceContext context = kernel.openDevice()) {
            assertThatThrownBy(() -> context.createCq(1000))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM))
                    .hasMessageContaining("RLIMIT_MEMLOCK");
            context.createCq(10).close();
        }
        kernel.assertClean();
    }

    @ParameterizedTest
    @EnumSource
    void survivesTheRemovalOfTheDevice(CardKind kind) throws Exception {
        CardPair pair = new CardPair(kind.settings());
        pair.server().postReceive(pair.receive(1));
        pair.client().postSend(pair.send(2));
        pair.settle();
        pair.client().postSend(pair.write(3));
        pair.kernel().removeDevice();
        pair.assertFatal();
        assertThat(pair.poll().isSuccess()).isTrue();
        assertThat(pair.poll().isSuccess()).isTrue();
        for (int i = 0; i < 10; i++) {
            pair.client().tryPostSend(pair.write(i));
            pair.server().tryPostReceive(pair.receive(i));
            pair.settle();
            assertThat(pair.isEmpty()).isTrue();
        }
        assertThatThrownBy(() -> pair.context().allocatePd()).isInstanceOf(ErrnoException.class);
        try {
            pair.context().close();
        } catch (ErrnoException commandsFailOnADeviceThatIsGone) {
            assertThat(commandsFailOnADeviceThatIsGone.errno()).isEqualTo(Errno.EIO);
        }
        assertThat(pair.kernel().descriptors()).isZero();
        assertThat(pair.kernel().complaints()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void readsNoOldCompletionsOfADeviceThatHasFailed(CardKind kind) throws Exception {
        try (CardPair pair = new CardPair(kind.settings())) {
            for (int i = 0; i < 2 * CardPair.COMPLETIONS; i++) {
                pair.client().postSend(pair.write(i));
                pair.settle();
                assertThat(pair.poll().wrId()).isEqualTo(i);
            }
            pair.kernel().failDevice();
            pair.assertFatal();
            pair.client().postSend(pair.write(100));
            pair.settle();
            assertThat(pair.isEmpty()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void forgetsTheCompletionsOfAQueuePairThatGoes(CardKind kind) throws Exception {
        try (CardPair pair = new CardPair(kind.settings())) {
            for (int i = 0; i < 3; i++) {
                pair.client().postSend(pair.write(10 + i));
                pair.settle();
                pair.server().postSend(pair.write(20 + i));
                pair.settle();
            }
            pair.client().close();
            for (int i = 0; i < 3; i++) {
                assertThat(pair.poll().wrId()).isEqualTo(20 + i);
            }
            assertThat(pair.isEmpty()).isTrue();
            pair.pd().createQp(pair.options());
            assertThat(pair.isEmpty()).isTrue();
        }
    }
}
