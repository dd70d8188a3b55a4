// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.testcontainers.DockerClientFactory;

/** A program that runs tests in a container until somebody kills it; says which session's, or why it cannot. */
final class ContainedHolder {
    private ContainedHolder() {}

    public static void main(String[] arguments) {
        try (LauncherSession session = LauncherFactory.openSession()) {
            session.getLauncher()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(selectClass(ContainedSamples.Interrupted.class))
                                    .build(),
                            new Listener());
        }
        System.exit(0);
    }

    private static final class Listener implements TestExecutionListener {
        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.getDisplayName().equals("b()")) {
                System.out.println(DockerClientFactory.SESSION_ID);
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            result.getThrowable().ifPresent(thrown -> System.out.println(thrown.getMessage()));
        }
    }
}
