// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class CallbacksTest {
    private final List<Throwable> reported = new ArrayList<>();
    private final List<Runnable> given = new ArrayList<>();
    private final AssertionError thrown = new AssertionError("thrown");

    private void fail() {
        throw thrown;
    }

    @Test
    void passTheExceptionToTheHandler() {
        new Callbacks(null, (thread, failure) -> reported.add(failure)).run(this::fail);
        assertThat(reported).containsExactly(thrown);
    }

    @Test
    void surviveAHandlerThatThrowsToo() {
        new Callbacks(null, (thread, failure) -> {
                    throw new IllegalStateException("too");
                })
                .run(this::fail);
        assertThat(thrown.getSuppressed()).hasSize(1);
    }

    @Test
    void survivesAHandlerThatThrowsTheReportedFailure() {
        new Callbacks(null, (thread, failure) -> fail()).run(this::fail);
        assertThat(thrown).hasNoSuppressedExceptions();
    }

    @Test
    void runOnceWhenTheExecutorTakesThemAndFailsAllTheSame() {
        Callbacks callbacks = new Callbacks(
                task -> {
                    given.add(task);
                    throw new OutOfMemoryError("unable to create native thread");
                },
                null);
        callbacks.run(() -> reported.add(thrown));
        given.forEach(Runnable::run);
        assertThat(reported).containsExactly(thrown);
    }

    @Test
    void runOnTheExecutor() {
        new Callbacks(given::add, (thread, failure) -> reported.add(failure)).run(this::fail);
        assertThat(reported).isEmpty();
        given.forEach(Runnable::run);
        assertThat(reported).containsExactly(thrown);
    }

    @Test
    void runHereWhenTheExecutorDoesNotTakeThem() {
        Callbacks callbacks = new Callbacks(
                task -> {
                    throw new RejectedExecutionException();
                },
                null);
        callbacks.run(() -> given.add(() -> {}));
        assertThat(given).hasSize(1);
    }
}
