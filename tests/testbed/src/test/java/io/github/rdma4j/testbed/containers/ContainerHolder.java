// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

/**
 * A program with a container of {@link OwnEngine}. Without an argument it holds the container until somebody kills the JVM; with
 * one, it kills the engine and shows that the waits end.
 */
final class ContainerHolder {
    private ContainerHolder() {}

    public static void main(String[] arguments) throws Exception {
        try (SoftRoceContainer container = SoftRoceContainer.ofThisMachine().withGuestMemory(512)) {
            container.start();
            System.out.println(OwnEngine.get().process().pid());
            if (arguments.length == 0) {
                Thread.sleep(Long.MAX_VALUE);
            }
            var waiting = container.startInGuest("sleep", "1000");
            OwnEngine.get().kill();
            System.out.println(
                    waiting.handle((status, failure) -> "the wait ended").get());
            try {
                System.out.println(container.execInGuest("true").getExitCode());
            } catch (RuntimeException e) {
                System.out.println("the command failed");
            }
        }
        System.out.println("closed");
    }
}
