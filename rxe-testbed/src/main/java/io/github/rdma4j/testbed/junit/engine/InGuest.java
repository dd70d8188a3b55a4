// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.junit.SoftRoce;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Jupiter's side of {@code @SoftRoce}: sees to it that the tests run where a device is. */
public final class InGuest implements ExecutionCondition {
    private final Settings settings = Settings.ofThisProcess();

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        boolean onHost = context.getElement()
                .flatMap(element -> AnnotationSupport.findAnnotation(element, SoftRoce.class))
                .filter(annotation -> GuestSpec.of(annotation, settings).backend().equals(Settings.HOST))
                .isPresent();
        if (!settings.inGuest() && !onHost) {
            throw new IllegalStateException("a test with @SoftRoce was about to run on this machine: include the test"
                    + " engine " + SoftRoceEngine.ID + ", or set -Drdma4j.testbed=host if this machine has a device");
        }
        return ConditionEvaluationResult.enabled("the test runs where its device is");
    }
}
