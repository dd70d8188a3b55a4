// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

/** A program that starts a testbed and holds it until somebody kills the JVM. */
final class TestbedHolder {
    private TestbedHolder() {}

    public static void main(String[] arguments) throws Exception {
        try (Testbed testbed = Testbed.builder().nodes(2).memoryMib(512).start()) {
            GuestProcess sleep = testbed.node(1).start("sleep", "1000");
            System.out.println("ready");
            sleep.waitFor();
        }
    }
}
