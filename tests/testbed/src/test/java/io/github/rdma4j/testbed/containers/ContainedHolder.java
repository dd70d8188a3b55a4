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

/** A program that runs a class of tests in a container: says the session when {@code b()} runs, failures, and what is left. */
final class ContainedHolder {
    static final String SESSION = "session ";

    private ContainedHolder() {}

    public static void main(String[] arguments) throws ClassNotFoundException {
        Class<?> tests = Class.forName(arguments[0]);
        try (LauncherSession session = LauncherFactory.openSession()) {
            session.getLauncher()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(selectClass(tests))
                                    .build(),
                            new Listener());
        }
        System.out.printf("%nleft: %s%n", ContainerBackendIT.containers().size());
        System.exit(0);
    }

    private static final class Listener implements TestExecutionListener {
        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.getDisplayName().equals("b()")) {
                System.out.printf("%n%s%s%n", SESSION, DockerClientFactory.SESSION_ID);
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            result.getThrowable().ifPresent(thrown -> System.out.println(thrown.getMessage()));
        }
    }
}
