// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

/** What runs the guest's instructions. */
enum Accelerator {
    KVM("kvm", "host"),

    /**
     * The kernel believes the TSCs of several processors to run in step if they are Intel's, which QEMU's always do. Without
     * the TSC, reading the clock is a system call and an access to the HPET: 5 µs in place of 1.
     */
    TCG("tcg,thread=multi", "max,vendor=GenuineIntel");

    private final String option;
    private final String cpu;

    Accelerator(String option, String cpu) {
        this.option = option;
        this.cpu = cpu;
    }

    String option() {
        return option;
    }

    String cpu() {
        return cpu;
    }
}
