// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FirstFailureTest {
    private final FirstFailure failure = new FirstFailure();

    private static FirstFailure.Step failing(String message) {
        return () -> {
            throw new RdmaException(message);
        };
    }

    @Test
    void throwsTheFirstWithTheOthersSuppressed() {
        failure.attempt(failing("one"));
        failure.attempt(() -> {});
        failure.attempt(failing("two"));
        assertThatThrownBy(failure::throwIfAny)
                .hasMessage("one")
                .satisfies(thrown -> assertThat(thrown.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .containsExactly("two"));
    }

    @Test
    void throwsNothingWhenNothingFailed() {
        failure.attempt(() -> {});
        assertThatCode(failure::throwIfAny).doesNotThrowAnyException();
    }

    @Test
    void doesNotHoldBackWhatIsNoFailureOfRdma() {
        assertThatThrownBy(() -> failure.attempt(() -> {
                    throw new IllegalStateException("misuse");
                }))
                .hasMessage("misuse");
    }
}
