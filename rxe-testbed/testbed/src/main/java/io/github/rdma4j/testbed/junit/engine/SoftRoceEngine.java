// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

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
    public static final String ID = Claims.ENGINE;

    private final GuestSpec.Settings settings;
    private final Workers workers;

    /** The engine of this process, as the platform makes it. */
    public SoftRoceEngine() {
        this(GuestSpec.Settings.ofThisProcess(), Workers.OF_THIS_PROCESS);
    }

    SoftRoceEngine(GuestSpec.Settings settings, Workers workers) {
        this.settings = settings;
        this.workers = workers;
    }

    @Override
    public String getId() {
        return ID;
    }

    @Override
    public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId rootId) {
        EngineDescriptor root = new EngineDescriptor(rootId, "Soft-RoCE");
        if (!settings.inGuest()) {
            Mirror.engine().ifPresent(jupiter -> new Mirror(root, settings).addAll(jupiter, request));
        }
        return root;
    }

    @Override
    public void execute(ExecutionRequest request) {
        TestDescriptor root = request.getRootTestDescriptor();
        request.getEngineExecutionListener().executionStarted(root);
        TestExecutionResult result = new RequestRun(request, workers)
                .execute()
                .map(TestExecutionResult::failed)
                .orElseGet(TestExecutionResult::successful);
        request.getEngineExecutionListener().executionFinished(root, result);
    }
}
