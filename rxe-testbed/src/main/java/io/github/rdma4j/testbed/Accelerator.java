// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

/** What runs the guest's instructions. */
enum Accelerator {
    KVM("kvm", "host"),
    TCG("tcg,thread=multi", "max");

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
