// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.undo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UndoTest {
    private final List<String> log = new ArrayList<>();

    @Test
    void whatSucceedsIsNotUndone() throws Exception {
        assertThat(Undo.onFailure(() -> 7, () -> log.add("undone"))).isEqualTo(7);
        assertThat(log).isEmpty();
    }

    @Test
    void anErrorUndoesTheStepsInReverseOrder() {
        StackOverflowError error = new StackOverflowError("of the test");
        assertThatThrownBy(() -> Undo.onFailure(
                        () -> Undo.onFailure(
                                () -> {
                                    throw error;
                                },
                                () -> log.add("second")),
                        () -> log.add("first")))
                .isSameAs(error);
        assertThat(log).containsExactly("second", "first");
    }

    @Test
    void aFailureOfTheUndoingIsSuppressed() {
        RdmaException second = new RdmaException("second");
        assertThatThrownBy(() -> Undo.onFailure(
                        () -> {
                            throw new RdmaException("first");
                        },
                        () -> {
                            throw second;
                        }))
                .hasMessage("first")
                .hasSuppressedException(second);
    }
}
