// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.github.rdma4j.testbed.Backend;

/** A program without Testcontainers that runs tests in a guest, and fails to run them in a container. */
final class WithoutTestcontainers {
    private WithoutTestcontainers() {}

    public static void main(String[] arguments) {
        System.out.println("in a guest: " + String.join(", ", run(Backend.VM, LocalRun.WORKERS).events));
        System.out.println("in a container: "
                + run(Backend.CONTAINER, new Workers(new GuestPlace(), JvmCommand::ofThisProcess))
                        .failure("a class")
                        .getMessage());
        System.exit(0);
    }

    private static LocalRun run(Backend backend, Workers workers) {
        return LocalRun.of(
                new GuestSpec.Settings(backend, "", false),
                workers,
                request -> request.selectors(selectClass(Samples.Passing.class)));
    }
}
