// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

/** A program that starts a testbed and holds it until somebody kills the JVM; the argument is the number of nodes. */
final class TestbedHolder {
    private TestbedHolder() {}

    public static void main(String[] arguments) throws Exception {
        int nodes = arguments.length == 0 ? 1 : Integer.parseInt(arguments[0]);
        Testbed.Device device = nodes == 1 ? Testbed.Device.NONE : Testbed.Device.RXE;
        try (Testbed testbed =
                Testbed.builder().nodes(nodes).memoryMib(512).device(device).start()) {
            GuestProcess sleep = testbed.node(1).start("sleep", "1000");
            System.out.println("ready");
            sleep.waitFor();
        }
    }
}
