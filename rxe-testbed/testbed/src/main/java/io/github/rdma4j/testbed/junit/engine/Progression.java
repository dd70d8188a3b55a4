// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;

/**
 * The progress of the tests of one guest. Events that a second guest repeats, because the first guest died, are
 * reported once.
 *
 * <p>A unit is a test that the guest runs by id: a method, or a class template.
 */
final class Progression {
    private final Collection<MirroredTest> tops;
    private final EngineExecutionListener listener;
    private final Map<String, MirroredTest> byJupiterId = new LinkedHashMap<>();
    private final List<MirroredTest> units = new ArrayList<>();
    private final Set<TestDescriptor> started = new HashSet<>();
    private final Set<TestDescriptor> running = new LinkedHashSet<>();
    private final Set<TestDescriptor> finished = new HashSet<>();

    /** Tests and containers that were skipped, failed or aborted; their result covers the tests in them. */
    private final Set<TestDescriptor> closed = new HashSet<>();

    /** Classes during which a guest died while no test ran. */
    private final Map<TestDescriptor, Throwable> blamed = new HashMap<>();

    Progression(Collection<MirroredTest> tops, EngineExecutionListener listener) {
        this.tops = tops;
        this.listener = listener;
        tops.forEach(this::register);
    }

    private void register(MirroredTest test) {
        byJupiterId.put(test.jupiterId(), test);
        if (test.getChildren().isEmpty() ? test.isTest() || test.mayRegisterTests() : test.mayRegisterTests()) {
            units.add(test);
        } else {
            test.getChildren().forEach(child -> register((MirroredTest) child));
        }
    }

    Optional<MirroredTest> find(String jupiterId) {
        return Optional.ofNullable(byJupiterId.get(jupiterId));
    }

    /** The units without a result. */
    List<MirroredTest> left() {
        return units.stream().filter(unit -> !hasResult(unit)).toList();
    }

    private boolean hasResult(TestDescriptor test) {
        return finished.contains(test) || isIn(closed, test);
    }

    private static boolean isIn(Set<TestDescriptor> containers, TestDescriptor test) {
        return test.getParent()
                .filter(up -> containers.contains(up) || isIn(containers, up))
                .isPresent();
    }

    void registered(MirroredTest parent, MirroredTest test) {
        if (byJupiterId.putIfAbsent(test.jupiterId(), test) == null) {
            parent.addChild(test);
            listener.dynamicTestRegistered(test);
        }
    }

    void start(TestDescriptor test) {
        if (!test.isRoot() && started.add(test)) {
            test.getParent().ifPresent(this::start);
            running.add(test);
            listener.executionStarted(test);
        }
    }

    void skip(MirroredTest test, String reason) {
        if (!started.contains(test) && finished.add(test)) {
            closed.add(test);
            test.getParent().ifPresent(this::start);
            listener.executionSkipped(test, reason);
        }
    }

    void finish(TestDescriptor test, TestExecutionResult result) {
        if (finished.contains(test)) {
            return;
        }
        start(test);
        boolean good = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
        for (TestDescriptor child : List.copyOf(test.getChildren())) {
            if (good && isClassTemplate(test) && !started.contains(child)) {
                excuse(child);
            } else {
                complete((MirroredTest) child, good);
            }
        }
        finished.add(test);
        running.remove(test);
        if (!good) {
            closed.add(test);
        }
        Throwable earlier = blamed.get(test);
        listener.executionFinished(test, earlier != null && good ? TestExecutionResult.failed(earlier) : result);
    }

    private static boolean isClassTemplate(TestDescriptor test) {
        return test.getUniqueId().getLastSegment().getType().endsWith("class-template");
    }

    /**
     * The methods of a class template run in its invocations, which the guest registers; the methods have no results.
     */
    private void excuse(TestDescriptor test) {
        finished.add(test);
        test.getChildren().forEach(this::excuse);
    }

    /**
     * Completes a test in a container that has ended, because the guest sends no more results. A failed container may
     * have left out tests.
     */
    private void complete(MirroredTest test, boolean mustHaveRun) {
        if (running.contains(test) || (mustHaveRun && !hasResult(test))) {
            if (test.isTest() || test.mayRegisterTests()) {
                fail(test, new GuestFailedException("the guest sent no result of this test"));
            } else {
                finish(test, TestExecutionResult.successful());
            }
        }
    }

    private void fail(TestDescriptor test, Throwable failure) {
        finish(test, TestExecutionResult.failed(failure));
    }

    /** Fails everything without a result: a class as a whole if it has not started, otherwise its tests. */
    void failLeft(Throwable failure) {
        for (MirroredTest unit : left()) {
            if (!hasResult(unit)) {
                TestDescriptor whole = unit;
                for (TestDescriptor up = parent(whole); up != null && !started.contains(up); up = parent(whole)) {
                    whole = up;
                }
                fail(whole, failure);
            }
        }
    }

    private static @Nullable TestDescriptor parent(TestDescriptor test) {
        return test.getParent().filter(up -> !up.isRoot()).orElse(null);
    }

    /** The running tests and containers that contain no other running test or container. */
    List<TestDescriptor> running() {
        Set<TestDescriptor> innermost = new LinkedHashSet<>(running);
        running.forEach(test -> test.getParent().ifPresent(innermost::remove));
        return List.copyOf(innermost);
    }

    /** Reports the failure of a guest as the failure of the running tests. */
    void blame(Throwable failure) {
        for (TestDescriptor test : running()) {
            if (unitOf(test) != null) {
                failTest(test, failure);
            } else if (left().stream().anyMatch(unit -> isIn(Set.of(test), unit)) && anyStartedIn(test)) {
                blamed.put(test, failure);
            } else {
                fail(test, failure);
            }
        }
    }

    private boolean anyStartedIn(TestDescriptor container) {
        return container.getChildren().stream().anyMatch(started::contains);
    }

    private @Nullable TestDescriptor unitOf(TestDescriptor test) {
        for (TestDescriptor up = test; up != null; up = parent(up)) {
            if (units.contains(up)) {
                return up;
            }
        }
        return null;
    }

    private void failTest(TestDescriptor test, Throwable failure) {
        TestDescriptor unit = unitOf(test);
        fail(test, failure);
        for (TestDescriptor up = test; !up.equals(unit); ) {
            up = up.getParent().orElseThrow();
            fail(
                    up,
                    new GuestFailedException(
                            "the guest ended during " + test.getDisplayName() + "; later tests did not run"));
        }
    }

    /** Ends the containers whose tests have results, and fails the tests that have none. */
    void finishContainers() {
        tops.forEach(top -> complete(top, true));
    }
}
