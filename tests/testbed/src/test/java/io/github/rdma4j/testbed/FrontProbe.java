// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Uses the testbed as a program or as a test does, in a process of its own, and prints what a user sees of a failure. */
final class FrontProbe {
    private FrontProbe() {}

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "api" -> start();
            case "junit" -> runTests(arguments[1]);
            default -> share(Path.of(arguments[1]));
        }
        System.exit(0);
    }

    private static void start() throws InterruptedException {
        try (Testbed testbed =
                Testbed.builder().memoryMib(512).device(Testbed.Device.NONE).start()) {
            System.out.println("no failure: " + testbed.nodes());
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
    }

    private static void runTests(String type) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        try (LauncherSession session = LauncherFactory.openSession()) {
            session.getLauncher()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(selectClass(type))
                                    .build(),
                            listener);
        }
        listener.getSummary()
                .getFailures()
                .forEach(failure -> System.out.println(failure.getException().getMessage()));
    }

    private static void share(Path directory) throws IOException, InterruptedException {
        try (Testbed testbed = Testbed.builder()
                .memoryMib(512)
                .device(Testbed.Device.NONE)
                .share(directory)
                .start()) {
            Path file = directory.resolve("from the guest");
            testbed.node(1)
                    .exec("sh", "-c", "pwd > \"$1\"", "sh", file.toString())
                    .requireSuccess();
            testbed.node(1).exec("sync").requireSuccess();
        }
        System.out.print(Files.readString(directory.resolve("from the guest")));
    }
}
