// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The machine that the tests run on, whatever it has. */
class MachineTest {
    @Test
    void knowsItsReleaseAndItsInterfaces() {
        Machine machine = Machine.running();
        assertThat(machine.release())
                .startsWith(System.getProperty("os.version").split("-", 2)[0]);
        assertThat(machine.netdev("lo"))
                .hasValueSatisfying(lo -> assertThat(lo.mtu()).isPositive());
        assertThat(machine.netdev("nosuchdev0")).isEmpty();
        assertThat(machine.netdev("")).isEmpty();
    }
}
