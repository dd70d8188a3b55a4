// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

/** What runs the guest's instructions. */
public enum Accelerator {
    KVM("kvm", "kvm", "host"),

    /**
     * Emulated processors take turns. When each has a thread of its own, QEMU translates an instruction byte by byte
     * while another processor replaces it, and runs the mixture: HotSpot replaces the entry of every method that it
     * compiles anew, and its threads crash there.
     *
     * <p>The kernel believes the TSCs of several processors to run in step if they are Intel's, which QEMU's always do.
     * Without the TSC, reading the clock is a system call and an access to the HPET: 5 µs in place of 1.
     */
    TCG("tcg,thread=single", "tcg,thread=multi", "max,vendor=GenuineIntel");

    private final String option;
    private final String parallelOption;
    private final String cpu;

    Accelerator(String option, String parallelOption, String cpu) {
        this.option = option;
        this.parallelOption = parallelOption;
        this.cpu = cpu;
    }

    /** QEMU's {@code -accel}. */
    String option(boolean parallel) {
        return parallel ? parallelOption : option;
    }

    String cpu() {
        return cpu;
    }
}
