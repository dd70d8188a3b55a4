// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

/** A program that starts a fabric, says what it consists of, and dies of a sudden. */
final class DyingOwner {
    private DyingOwner() {}

    public static void main(String[] arguments) {
        IbsimFabric fabric = IbsimFabric.start(FabricPlan.ofAdapters(2));
        System.out.println(fabric.directory());
        ProcessHandle.current().children().forEach(child -> System.out.println(child.pid()));
        fabric.openSm().suspend(); // what is stopped has to go, too
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
