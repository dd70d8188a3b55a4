// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.machine.MachineSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.ExecutionRequest;

/**
 * Runs the tests of a request. With one guest at a time, tests that share a guest are one run. With several guests,
 * each class is a run, and each guest takes the next class when it has finished a class.
 */
final class RequestRun {
    /**
     * The parameter of the platform, or system property, with the number of guests that run tests at the same time;
     * {@code auto} chooses a number for this machine's processors.
     */
    static final String GUESTS = "rdma4j.testbed.guests";

    private static final String AUTO = "auto";

    private final Map<GuestSpec, Deque<List<MirroredTest>>> waiting = new LinkedHashMap<>();

    /** The number of threads with a guest of this kind. */
    private final Map<GuestSpec, Integer> served = new HashMap<>();

    private final ExecutionRequest request;
    private final Workers workers;
    private final int guests;
    private final List<Throwable> failures = new ArrayList<>();

    private record Part(GuestSpec spec, List<MirroredTest> tests) {}

    RequestRun(ExecutionRequest request, Workers workers) {
        this.request = request;
        this.workers = workers;
        Map<GuestSpec, List<MirroredTest>> kinds = new LinkedHashMap<>();
        request.getRootTestDescriptor().getChildren().stream()
                .map(MirroredTest.class::cast)
                .forEach(test -> kinds.computeIfAbsent(test.spec(), spec -> new ArrayList<>())
                        .add(test));
        guests = request.getConfigurationParameters()
                .get(GUESTS, value -> value.equals(AUTO) ? guestsFor(kinds.keySet()) : Integer.parseInt(value))
                .orElse(1);
        kinds.forEach((spec, tests) -> waiting.put(
                spec, new ArrayDeque<>(guests > 1 ? tests.stream().map(List::of).toList() : List.of(tests))));
    }

    private static int guestsFor(Set<GuestSpec> kinds) {
        // The debugger's port leads to one guest.
        if (System.getProperty(DebuggedJvm.PROPERTY) != null) {
            return 1;
        }
        int processors = Runtime.getRuntime().availableProcessors();
        boolean small = kinds.stream().anyMatch(spec -> spec.backend() == Backend.UML);
        // A guest of User Mode Linux has one processor, and waits a part of its time.
        return Math.max(1, small ? processors + 1 : processors / MachineSpec.DEFAULT_CPUS);
    }

    /** Runs all tests; returns a failure of the engine itself, which belongs to no test. */
    Optional<Throwable> execute() {
        List<Thread> others = new ArrayList<>();
        int classes = waiting.values().stream().mapToInt(Deque::size).sum();
        for (int i = 1; i < Math.min(guests, classes); i++) {
            others.add(Daemon.start("tests-" + (i + 1), this::work));
        }
        work();
        others.forEach(RequestRun::await);
        return failures.stream().findFirst();
    }

    /** Waits for the end of a thread; passes an interruption on to the thread. */
    private static void await(Thread other) {
        boolean interrupted = false;
        while (other.isAlive()) {
            try {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                other.join();
            } catch (InterruptedException e) {
                interrupted = true;
                other.interrupt();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        Part part = next(null);
        while (part != null) {
            Optional<Throwable> failure;
            try {
                failure = new BatchRun(part.spec, part.tests, request, workers).execute();
            } catch (RuntimeException | Error e) {
                failure = Optional.of(e);
            }
            failure.ifPresent(this::failed);
            part = next(part.spec);
        }
    }

    private synchronized void failed(Throwable failure) {
        failures.add(failure);
    }

    /**
     * The next tests for a thread: for its guest, otherwise for a guest that no other thread has, otherwise for the
     * guest with the most tests left.
     */
    private synchronized @Nullable Part next(@Nullable GuestSpec own) {
        GuestSpec spec = own != null && waiting.containsKey(own) ? own : mostWanted();
        if (own != null) {
            served.merge(own, -1, Integer::sum);
        }
        Deque<List<MirroredTest>> parts = spec == null ? null : waiting.get(spec);
        if (spec == null || parts == null) {
            return null;
        }
        served.merge(spec, 1, Integer::sum);
        List<MirroredTest> tests = parts.remove();
        if (parts.isEmpty()) {
            waiting.remove(spec);
        }
        return new Part(spec, tests);
    }

    private @Nullable GuestSpec mostWanted() {
        return waiting.entrySet().stream()
                .min(Comparator.comparing((Map.Entry<GuestSpec, Deque<List<MirroredTest>>> kind) ->
                                served.getOrDefault(kind.getKey(), 0) > 0)
                        .thenComparing(kind -> -kind.getValue().size()))
                .map(Map.Entry::getKey)
                .orElse(null);
    }
}
