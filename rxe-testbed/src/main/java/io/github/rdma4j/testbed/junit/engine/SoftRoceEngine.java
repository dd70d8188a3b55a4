// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;

/** Runs the Jupiter tests that carry {@code @SoftRoce} in guests. */
public final class SoftRoceEngine implements TestEngine {
    /** The name of the engine for {@code includeEngines}. */
    public static final String ID = "rdma4j-soft-roce";

    private final Settings settings;
    private final Workers workers;

    /** The engine of this process, as the platform makes it. */
    public SoftRoceEngine() {
        this(Settings.ofThisProcess(), Workers.OF_THIS_PROCESS);
    }

    SoftRoceEngine(Settings settings, Workers workers) {
        this.settings = settings;
        this.workers = workers;
    }

    @Override
    public String getId() {
        return ID;
    }

    @Override
    public Optional<String> getGroupId() {
        return Optional.of("io.github.rdma4j");
    }

    @Override
    public Optional<String> getArtifactId() {
        return Optional.of("rdma4j-rxe-testbed");
    }

    @Override
    public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId rootId) {
        EngineDescriptor root = new EngineDescriptor(rootId, "Soft-RoCE");
        if (!settings.inGuest()) {
            JupiterDiscovery.engine()
                    .map(jupiter -> JupiterDiscovery.discover(jupiter, request, rootId))
                    .ifPresent(tests -> new Mirror(root, settings).addAll(tests, request));
        }
        return root;
    }

    @Override
    public void execute(ExecutionRequest request) {
        TestDescriptor root = request.getRootTestDescriptor();
        Map<GuestSpec, List<MirroredTest>> batches = new LinkedHashMap<>();
        for (TestDescriptor child : root.getChildren()) {
            MirroredTest test = (MirroredTest) child;
            batches.computeIfAbsent(test.spec(), spec -> new ArrayList<>()).add(test);
        }
        List<Throwable> failures = new ArrayList<>();
        request.getEngineExecutionListener().executionStarted(root);
        batches.forEach((spec, tests) ->
                new BatchRun(spec, tests, request, workers).execute().ifPresent(failures::add));
        request.getEngineExecutionListener()
                .executionFinished(
                        root,
                        failures.isEmpty()
                                ? TestExecutionResult.successful()
                                : TestExecutionResult.failed(failures.get(0)));
    }
}
