// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.Backend;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.engine.JupiterTestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A run of both engines with JVMs of this machine in the place of guests, and everything that the platform was told. */
final class LocalRun implements TestExecutionListener {
    static final LocalPlace PLACE = new LocalPlace();
    static final Workers WORKERS = new Workers(PLACE, JvmCommand::ofThisProcess);

    /** The event and the display name, in the order of the events; roots are left out. */
    final List<String> events = Collections.synchronizedList(new ArrayList<>());

    final Map<String, TestIdentifier> tests = Collections.synchronizedMap(new LinkedHashMap<>());
    final Map<String, Throwable> failures = Collections.synchronizedMap(new LinkedHashMap<>());
    final Map<String, String> skips = Collections.synchronizedMap(new LinkedHashMap<>());
    final List<Map<String, String>> entries = Collections.synchronizedList(new ArrayList<>());

    private LocalRun() {}

    static LocalRun of(UnaryOperator<LauncherDiscoveryRequestBuilder> request) {
        return of(WORKERS, request);
    }

    static LocalRun of(Workers workers, UnaryOperator<LauncherDiscoveryRequestBuilder> request) {
        return of(new GuestSpec.Settings(Backend.VM, "", false), workers, request);
    }

    static LocalRun of(
            GuestSpec.Settings settings, Workers workers, UnaryOperator<LauncherDiscoveryRequestBuilder> request) {
        LauncherConfig config = LauncherConfig.builder()
                .enableTestEngineAutoRegistration(false)
                .addTestEngines(new JupiterTestEngine(), new SoftRoceEngine(settings, workers))
                .build();
        Launcher launcher = LauncherFactory.create(config);
        LocalRun run = new LocalRun();
        launcher.execute(
                request.apply(LauncherDiscoveryRequestBuilder.request()).build(), run);
        return run;
    }

    static void closeIdle(Workers workers) throws InterruptedException {
        workers.opened();
        workers.closed();
    }

    private void record(String event, TestIdentifier test) {
        if (test.getParentId().isPresent()) {
            events.add(event + " " + test.getDisplayName());
            tests.put(test.getDisplayName(), test);
        }
    }

    /** A test that was reported. */
    TestIdentifier test(String displayName) {
        TestIdentifier test = tests.get(displayName);
        if (test == null) {
            throw new AssertionError(displayName + " was not reported: " + events);
        }
        return test;
    }

    /** The failure of a test. */
    Throwable failure(String displayName) {
        Throwable failure = failures.get(displayName);
        if (failure == null) {
            throw new AssertionError(displayName + " has not failed: " + events + failures);
        }
        return failure;
    }

    @Override
    public void dynamicTestRegistered(TestIdentifier test) {
        record("registered", test);
    }

    @Override
    public void executionSkipped(TestIdentifier test, @Nullable String reason) {
        record("skipped", test);
        skips.put(test.getDisplayName(), String.valueOf(reason));
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        record("started", test);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        record(result.getStatus().name().toLowerCase(java.util.Locale.ROOT), test);
        result.getThrowable().ifPresent(throwable -> failures.put(test.getDisplayName(), throwable));
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        entries.add(entry.getKeyValuePairs());
    }
}
