// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import io.github.rdma4j.testbed.host.KernelVersion;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/** Skips tests on a kernel that is too old. */
final class KernelCondition
        implements ExecutionCondition, TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
    private final String running;

    /** The condition for the kernel of this JVM. */
    KernelCondition() {
        this(System.getProperty("os.version"));
    }

    KernelCondition(String running) {
        this.running = running;
    }

    private static Optional<String> required(ExtensionContext context) {
        return context.getElement()
                .flatMap(element -> AnnotationSupport.findAnnotation(element, RequiresKernel.class))
                .map(RequiresKernel::value);
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return required(context)
                .filter(release -> !KernelVersion.of(running).isAtLeast(release))
                .map(release -> ConditionEvaluationResult.disabled(
                        "kernel " + running + " is older than " + release + ", which the test requires"))
                .orElseGet(() -> ConditionEvaluationResult.enabled("kernel " + running + " is new enough"));
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        throw justified(thrown);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        throw justified(thrown);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        throw justified(thrown);
    }

    private Throwable justified(Throwable thrown) {
        if (!(thrown instanceof TestAbortedException)) {
            return thrown;
        }
        AssertionError failure = new AssertionError("this test skipped itself on kernel " + running
                + ", which is new enough for its @RequiresKernel: " + thrown.getMessage());
        failure.initCause(thrown);
        return failure;
    }
}
