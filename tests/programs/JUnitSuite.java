// SPDX-License-Identifier: Apache-2.0

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs test classes of a package, one after the other, and prints a line for each, and then a line for each failure. */
public final class JUnitSuite {
    private JUnitSuite() {}

    public static void main(String[] arguments) {
        List<String> classes = List.of(arguments).subList(1, arguments.length);
        Map<String, List<String>> failures = new TreeMap<>();
        int tests = 0;
        for (String name : classes) {
            Counts counts = run(arguments[0], name);
            tests += counts.tests;
            if (!counts.failures.isEmpty()) {
                failures.put(name, counts.failures);
            }
        }
        failures.forEach((name, why) -> why.forEach(line -> System.out.println("FAILED " + name + " " + line)));
        System.out.println(classes.size() + " classes, " + tests + " tests, "
                + failures.values().stream().mapToInt(List::size).sum() + " failed");
        System.exit(failures.isEmpty() ? 0 : 1);
    }

    private static Counts run(String inPackage, String name) {
        Counts counts = new Counts();
        long start = System.nanoTime();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(inPackage + "." + name))
                .build();
        LauncherFactory.create().execute(request, counts);
        System.out.printf(
                "%-40s %4d tests, %d failed, %d skipped, %.1f s%n",
                name, counts.tests, counts.failures.size(), counts.skipped, (System.nanoTime() - start) / 1e9);
        return counts;
    }

    /** Interrupts a test that takes too long: a thread that waits for a channel then goes on. */
    private static final class Limit extends TimerTask {
        private static final Timer TIMER = new Timer("limit", true);
        private static final long MILLIS = 60_000;

        private final Thread thread = Thread.currentThread();

        static Limit start() {
            Limit limit = new Limit();
            TIMER.schedule(limit, MILLIS);
            return limit;
        }

        @Override
        public void run() {
            thread.interrupt();
        }
    }

    private static final class Counts implements TestExecutionListener {
        private int tests;
        private int skipped;
        private final List<String> failures = new ArrayList<>();
        private Limit limit = new Limit();

        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.isTest()) {
                // Of the limit of the test before.
                Thread.interrupted();
                limit = Limit.start();
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest()) {
                limit.cancel();
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
