// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.github.rdma4j.testbed.junit.engine.FailureSamples.Unwritable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;

/** Failures that are hard to tell, and guests that say too little: each test has a result, and the engine does not wait for ever. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class HardFailuresTest {
    @AfterAll
    static void endGuests() throws InterruptedException {
        LocalRun.closeIdle(LocalRun.WORKERS);
    }

    private static LocalRun run(Class<?> type) {
        return LocalRun.of(request -> request.selectors(selectClass(type)));
    }

    private static LocalRun run(WorkerPlace place, Class<?> type) {
        return LocalRun.of(
                new Workers(place, JvmCommand::ofThisProcess), request -> request.selectors(selectClass(type)));
    }

    private static List<Throwable> chain(Throwable outermost) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable next = outermost; next != null; next = next.getCause()) {
            chain.add(next);
        }
        return chain;
    }

    @Test
    void whatCannotBeWrittenDownFailsItsTest() {
        LocalRun run = run(Unwritable.class);
        assertThat(run.events)
                .contains(
                        "failed fewerCauses()",
                        "failed manyCauses()",
                        "failed silent()",
                        "failed unlinked()",
                        "successful zLast()");

        for (String test : List.of("fewerCauses()", "manyCauses()")) {
            List<Throwable> chain = chain(run.failure(test));
            assertThat(chain.get(1).toString()).startsWith("java.lang.RuntimeException: attempt ");
            assertThat(chain.get(1).getStackTrace()[0].getMethodName()).isEqualTo("withCauses");
            assertThat(chain.get(chain.size() - 1)).hasToString("more causes were left out");
        }
        assertThat(run.failure("silent()")).hasToString(Unwritable.Silent.class.getName());
        assertThat(run.failure("silent()").getStackTrace()[0].getMethodName()).isEqualTo("silent");
        assertThat(run.failure("unlinked()")).isInstanceOf(AssertionError.class).hasMessageContaining("expected");
    }

    @Test
    void anErrorThatEndsTheRunFailsItsTestAndTheRestRuns() {
        LocalRun run = run(FailureSamples.OutOfMemory.class);
        assertThat(run.events).contains("successful a()", "failed b()", "successful c()");
        assertThat(run.failure("b()")).isInstanceOf(OutOfMemoryError.class).hasMessage("Java heap space");
    }

    @Test
    void theEndOfAJvmThatCannotBeToldIsOne() {
        WorkerPlace place = (spec, command) -> new Forgotten(LocalRun.PLACE.start(spec, command));
        LocalRun run = run(place, FailureSamples.Exiting.class);
        assertThat(run.failure("exits()")).hasMessageContaining("java.lang.IllegalStateException: No such container");
        assertThat(run.failure("failsNext()")).hasMessage("as it should");
    }

    @Test
    @Tag("nightly")
    void aTestThatDoesNotEndFailsWithTheStacksOfTheGuest() throws InterruptedException {
        AtomicInteger starts = new AtomicInteger();
        Workers workers = new Workers(
                (spec, command) -> {
                    if (starts.incrementAndGet() > 1) {
                        // To boot may take longer than a test.
                        Thread.sleep(Duration.ofSeconds(6).toMillis());
                    }
                    return LocalRun.PLACE.start(spec, command);
                },
                JvmCommand::ofThisProcess);
        LocalRun run = LocalRun.of(
                workers,
                request -> request.configurationParameter(TimeLimit.PARAMETER, "5")
                        .selectors(selectClass(FailureSamples.Hanging.class)));
        LocalRun.closeIdle(workers);
        assertThat(run.failure("canBeInterrupted()"))
                .hasMessageStartingWith(
                        "this ran for more than 5 s (rdma4j.testbed.timeout) and was interrupted.\nThe threads")
                .hasMessageContaining("\n    at " + FailureSamples.Hanging.class.getName() + ".canBeInterrupted(");
        assertThat(run.failure("canBeInterrupted()").getSuppressed()[0]).isInstanceOf(InterruptedException.class);
        assertThat(run.failure("cannotBeInterrupted()"))
                .hasMessageContaining("did not end when it was interrupted, so its guest was ended")
                .hasMessageContaining("\n    at " + FailureSamples.Hanging.class.getName() + ".cannotBeInterrupted(");
        assertThat(run.events).contains("successful passes()", "successful FailureSamples$Hanging");
        assertThat(starts).hasValue(2);
    }

    @Test
    void aTestWithALimitOfItsOwnHasNoOther() {
        LocalRun run = LocalRun.of(request -> request.configurationParameter(TimeLimit.PARAMETER, "2")
                .selectors(selectClass(FailureSamples.Limited.class)));
        assertThat(run.events).contains("successful waitsForLonger()");
    }

    @Test
    void aLimitThatIsNoNumberIsRefused() {
        assertThatThrownBy(() -> new TimeLimit(parameters("soon")))
                .hasStackTraceContaining("rdma4j.testbed.timeout is a number of seconds, 1 to 999999999, or 0 for no"
                        + " limit; not \"soon\"");
    }

    private static ConfigurationParameters parameters(String limit) {
        return LauncherDiscoveryRequestBuilder.request()
                .configurationParameter(TimeLimit.PARAMETER, limit)
                .build()
                .getConfigurationParameters();
    }

    @Test
    void aPlaceThatThrowsFailsTheClass() {
        WorkerPlace place = (spec, command) -> {
            throw new IllegalStateException("no such bridge");
        };
        LocalRun run = run(place, FailureSamples.Exiting.class);
        assertThat(run.events).containsExactly("started FailureSamples$Exiting", "failed FailureSamples$Exiting");
        assertThat(run.failure("FailureSamples$Exiting"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no such bridge");
    }

    /** As a container that was removed. */
    private record Forgotten(WorkerPlace.Running real) implements WorkerPlace.Running {
        @Override
        public WorkerPlace.Streams streams() {
            return real.streams();
        }

        @Override
        public WorkerPlace.End awaitEnd() throws InterruptedException {
            real.awaitEnd();
            throw new IllegalStateException("No such container");
        }

        @Override
        public void kill() {
            real.kill();
        }
    }
}
