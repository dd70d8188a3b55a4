// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Background;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HandleUsesTest {
    private final HandleUses uses = new HandleUses();

    @Test
    void refusesCommandsAfterTheEnd() {
        assertThat(uses.enter()).isTrue();
        uses.leave();
        assertThat(uses.isOver()).isFalse();
        uses.end();
        assertThat(uses.isOver()).isTrue();
        assertThat(uses.enter()).isFalse();
    }

    @Test
    void waitsForTheCommandsInProgress() throws Exception {
        assertThat(uses.enter()).isTrue();
        assertThat(uses.enter()).isTrue();
        AtomicBoolean left = new AtomicBoolean();
        Future<Boolean> end = Background.start(() -> {
            uses.end();
            return left.get();
        });
        awaitEnd();
        uses.leave();
        left.set(true);
        uses.leave();
        assertThat(end.get()).as("ended after the last command").isTrue();
    }

    @Test
    void anInterruptDoesNotEndTheWait() throws Exception {
        assertThat(uses.enter()).isTrue();
        AtomicBoolean left = new AtomicBoolean();
        Future<Boolean> end = Background.start(() -> {
            Thread.currentThread().interrupt();
            uses.end();
            return left.get() && Thread.interrupted();
        });
        awaitEnd();
        left.set(true);
        uses.leave();
        assertThat(end.get())
                .as("ended after the command, and still interrupted")
                .isTrue();
    }

    private void awaitEnd() {
        while (!uses.isOver()) {
            Thread.onSpinWait();
        }
    }
}
