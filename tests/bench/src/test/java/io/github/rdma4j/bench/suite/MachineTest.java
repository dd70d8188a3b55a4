// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineTest {
    @Test
    void tellsKindsOfGuestsApart() {
        assertThat(Machine.processors(true, "vendor_id\t: User Mode Linux\nmodel name\t: UML\n"))
                .isEqualTo("User Mode Linux");
        assertThat(Machine.processors(true, "model name\t: QEMU TCG CPU version 2.5+\n"))
                .isEqualTo("QEMU without KVM");
        assertThat(Machine.processors(true, "model name\t: AMD EPYC 7B13\n")).isEqualTo("QEMU with KVM");
        assertThat(Machine.processors(true, "processor\t: 0\nCPU implementer\t: 0x41\n"))
                .isEqualTo("QEMU that emulates arm64");
        assertThat(Machine.processors(false, "model name\t: QEMU TCG CPU version 2.5+\n"))
                .isEqualTo("this machine");
    }
}
