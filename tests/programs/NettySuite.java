// SPDX-License-Identifier: Apache-2.0

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs classes of Netty's test suite, one after the other, and prints a line for each. */
public final class NettySuite {
    private static final String PACKAGE = "io.netty.testsuite.transport.socket.";

    private NettySuite() {}

    public static void main(String[] classes) {
        Map<String, List<String>> failures = new TreeMap<>();
        int tests = 0;
        for (String name : classes) {
            Counts counts = run(name);
            tests += counts.tests;
            if (!counts.failures.isEmpty()) {
                failures.put(name, counts.failures);
            }
        }
        failures.forEach((name, why) -> why.forEach(line -> System.out.println("FAILED " + name + " " + line)));
        System.out.println(classes.length + " classes, " + tests + " tests, "
                + failures.values().stream().mapToInt(List::size).sum() + " failed");
        System.exit(failures.isEmpty() ? 0 : 1);
    }

    private static Counts run(String name) {
        Counts counts = new Counts();
        long start = System.nanoTime();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(PACKAGE + name))
                .build();
        LauncherFactory.create().execute(request, counts);
        System.out.printf(
                "%-40s %4d tests, %d failed, %d skipped, %.1f s%n",
                name, counts.tests, counts.failures.size(), counts.skipped, (System.nanoTime() - start) / 1e9);
        return counts;
    }

    private static final class Counts implements TestExecutionListener {
        private int tests;
        private int skipped;
        private final List<String> failures = new ArrayList<>();

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest()) {
                tests++;
            }
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                failures.add(test.getDisplayName() + ": " + result.getThrowable().map(String::valueOf).orElse(""));
            } else if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
                skipped++;
            }
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            skipped++;
        }
    }
}
