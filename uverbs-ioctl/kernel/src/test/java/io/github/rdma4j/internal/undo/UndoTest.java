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
    void anObjectThatIsUsedIsNotDestroyed() throws Exception {
        String used = Undo.onFailure(() -> 7, made -> "uses " + made, made -> log.add("destroys " + made));
        assertThat(used).isEqualTo("uses 7");
        assertThat(log).isEmpty();
    }

    @Test
    void anObjectIsDestroyedWhenItsUseFailsForLackOfMemory() {
        OutOfMemoryError full = new OutOfMemoryError("of the test");
        assertThatThrownBy(() -> Undo.onFailure(
                        () -> 7,
                        made -> {
                            throw full;
                        },
                        made -> log.add("destroys " + made)))
                .isSameAs(full);
        assertThat(log).containsExactly("destroys 7");
    }

    @Test
    void aFailureOfTheDestructionIsSuppressed() {
        RdmaException second = new RdmaException("second");
        assertThatThrownBy(() -> Undo.onFailure(
                        () -> 7,
                        made -> {
                            throw new RdmaException("first");
                        },
                        made -> {
                            throw second;
                        }))
                .hasMessage("first")
                .hasSuppressedException(second);
    }

    @Test
    void nothingIsDestroyedThatWasNotMade() {
        assertThatThrownBy(() -> Undo.onFailure(
                        () -> {
                            throw new RdmaException("first");
                        },
                        made -> made,
                        made -> log.add("destroys " + made)))
                .hasMessage("first");
        assertThat(log).isEmpty();
    }
}
