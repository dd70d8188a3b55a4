// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessorsTest {
    @Test
    void tellsKindsOfGuestsApart() {
        assertThat(Processors.name(true, "vendor_id\t: User Mode Linux\nmodel name\t: UML\n"))
                .isEqualTo("User Mode Linux");
        assertThat(Processors.name(true, "model name\t: QEMU TCG CPU version 2.5+\n"))
                .isEqualTo("QEMU without KVM");
        assertThat(Processors.name(true, "model name\t: AMD EPYC 7B13\n")).isEqualTo("QEMU with KVM");
        assertThat(Processors.name(true, "processor\t: 0\nCPU implementer\t: 0x41\n"))
                .isEqualTo("QEMU that emulates arm64");
        assertThat(Processors.name(false, "model name\t: QEMU TCG CPU version 2.5+\n"))
                .isEqualTo("this machine");
    }
}
