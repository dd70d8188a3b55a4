// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;

/**
 * The time limit for tests, and for set-up and tear-down between tests. A test that exceeds the limit is interrupted;
 * if it does not end, the guest is ended. The limit does not apply to tests with their own timeout.
 */
final class TimeLimit {
    /** The parameter of the platform, or system property, with the limit in seconds. */
    static final String PARAMETER = "rdma4j.testbed.timeout";

    private static final Duration DEFAULT = Duration.ofMinutes(10);
    private static final Duration NONE = Duration.ofDays(10_000);
    private static final Duration LONGEST_FOR_INTERRUPTED = Duration.ofSeconds(30);
    private static final String OF_JUPITER = "junit.jupiter.execution.timeout.";
    private static final String MODE_OF_JUPITER = OF_JUPITER + "thread.mode";

    private final Duration limit;
    private final Set<String> interrupted = new HashSet<>();
    private String stacks = "";
    private boolean expired;
    private Duration current = NONE;
    private long since;

    TimeLimit(ConfigurationParameters parameters) {
        Duration wanted = parameters.get(PARAMETER, TimeLimit::seconds).orElse(DEFAULT);
        boolean ofOthers = !DebuggedJvm.wish().isEmpty()
                || parameters.keySet().stream()
                        .anyMatch(key -> key.startsWith(OF_JUPITER)
                                && key.endsWith("default")
                                && !key.startsWith(MODE_OF_JUPITER));
        limit = ofOthers ? Duration.ZERO : wanted;
    }

    private static Duration seconds(String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException(
                    PARAMETER + " is a number of seconds, 1 to 999999999, or 0 for no limit; not \"" + text + "\"");
        }
        return Duration.ofSeconds(Long.parseLong(text));
    }

    /** A guest will run tests. Its boot has other limits. */
    void begin() {
        interrupted.clear();
        restart(List.of());
    }

    /** Starts the limit again, because a test or container has begun or ended; the list has the running tests. */
    void restart(List<TestDescriptor> running) {
        boolean limited = running.stream().anyMatch(test -> !hasLimitOfItsOwn(test));
        current = limited && !limit.isZero() ? limit : NONE;
        since = System.nanoTime();
        expired = false;
    }

    private static boolean hasLimitOfItsOwn(TestDescriptor test) {
        return Stream.<Optional<TestDescriptor>>iterate(
                        Optional.of(test), Optional::isPresent, up -> up.flatMap(TestDescriptor::getParent))
                .flatMap(up -> up.flatMap(Mirror::element).stream())
                .anyMatch(element -> AnnotationSupport.isAnnotated(element, Timeout.class));
    }

    Duration left() {
        return current.minusNanos(System.nanoTime() - since);
    }

    /**
     * Interrupts the tests; if they did not end after an interruption, returns a failure, and their guest must be
     * ended.
     */
    Optional<Throwable> expire(List<TestDescriptor> running, Worker worker) {
        if (expired) {
            return Optional.of(failure(" and did not end when it was interrupted, so its guest was ended"));
        }
        Set<String> ids = running.stream()
                .filter(test -> !hasLimitOfItsOwn(test))
                .map(test -> ((MirroredTest) test).jupiterId())
                .collect(Collectors.toCollection(HashSet::new));
        worker.send(new Message(Message.Kind.EXPIRED, ids));
        interrupted.addAll(ids);
        stacks = "the JVM in the guest has not told";
        expired = true;
        current = limit.compareTo(LONGEST_FOR_INTERRUPTED) < 0 ? limit : LONGEST_FOR_INTERRUPTED;
        since = System.nanoTime();
        return Optional.empty();
    }

    /** Keeps the stacks of the guest's threads at the limit. */
    void stacks(String text) {
        stacks = text;
    }

    /** The result of a test: a failure if the test was interrupted. */
    TestExecutionResult result(String jupiterId, TestExecutionResult ofTheGuest) {
        if (!interrupted.remove(jupiterId)) {
            return ofTheGuest;
        }
        Throwable failure = failure(" and was interrupted");
        ofTheGuest.getThrowable().ifPresent(failure::addSuppressed);
        return TestExecutionResult.failed(failure);
    }

    private Throwable failure(String consequence) {
        return new GuestFailedException("this ran for more than " + limit.toSeconds() + " s (" + PARAMETER + ")"
                + consequence + ".\nThe threads of the JVM in the guest at that time:\n" + stacks.strip());
    }
}
