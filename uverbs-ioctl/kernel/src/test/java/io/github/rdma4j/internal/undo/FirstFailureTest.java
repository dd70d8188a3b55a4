// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.undo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.RdmaException;
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
    void takesTheOtherStepsAfterAMisuseAndAfterAnError() {
        failure.attempt(() -> {
            throw new AssertionError("defect");
        });
        failure.attempt(() -> {
            throw new IllegalStateException("misuse");
        });
        failure.attempt(failing("last"));
        assertThatThrownBy(failure::throwIfAny)
                .isExactlyInstanceOf(AssertionError.class)
                .hasMessage("defect")
                .satisfies(thrown -> assertThat(thrown.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .containsExactly("misuse", "last"));
    }

    @Test
    void throwsAMisuseAsItIs() {
        failure.attempt(() -> {
            throw new IllegalStateException("misuse");
        });
        assertThatThrownBy(failure::throwIfAny)
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("misuse");
    }

    @Test
    void takesTheSameFailureTwice() {
        RdmaException same = new RdmaException("same");
        failure.add(same);
        failure.add(same);
        assertThatThrownBy(failure::throwIfAny).isSameAs(same).hasNoSuppressedExceptions();
    }

    @Test
    void closesWhatThereIsAndGoesOn() {
        failure.close(null);
        failure.close(() -> {
            throw new RdmaException("one");
        });
        failure.attempt(failing("two"));
        assertThatThrownBy(failure::throwIfAny)
                .hasMessage("one")
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1));
    }

    @Test
    void suppressesTheFirstInAnother() {
        Throwable other = new RdmaException("other");
        failure.suppressIn(other);
        assertThat(other.getSuppressed()).isEmpty();
        failure.attempt(failing("one"));
        failure.suppressIn(other);
        assertThat(other.getSuppressed()).extracting(Throwable::getMessage).containsExactly("one");
    }
}
