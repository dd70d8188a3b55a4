// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

import io.github.rdma4j.testbed.image.Architecture;

/** The executor of the guest's instructions. */
public enum Accelerator {
    KVM("kvm", "kvm", "host"),

    /**
     * Emulated processors take turns. If each processor has a thread, QEMU may translate an instruction while another
     * processor replaces it, and run the mixture: HotSpot replaces the entry of every recompiled method, and its
     * threads crash there.
     *
     * <p>The kernel trusts that the TSCs of several Intel processors run in step; QEMU's TSCs always do. Without the
     * TSC, reading the clock is a system call and an access to the HPET, which takes 5 µs and not 1 µs.
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

    /**
     * QEMU's {@code -cpu}. An arm64 processor that authenticates pointers computes that in software, for every call of the kernel,
     * so the guest gets one that does not, or a cheap way; the former has pages of 4 KiB only.
     */
    String cpu(Architecture architecture) {
        return switch (architecture) {
            case AMD64 -> cpu;
            case ARM64 -> "neoverse-n1";
            case ARM64_16K -> "max,pauth-impdef=on";
        };
    }
}
