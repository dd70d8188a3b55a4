// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What a testbed refuses before it starts a guest. */
class TestbedBuilderTest {
    @Test
    void eachSwitchNeedsANode() {
        assertThatThrownBy(() -> Testbed.builder()
                        .device(Testbed.Device.IB)
                        .nodes(2)
                        .switches(3)
                        .start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("switches: 1 to 2, not 3;");
    }

    @Test
    void onlyInfiniBandHasSeveralSwitches() {
        assertThatThrownBy(() -> Testbed.builder().nodes(3).switches(2).start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("switches: 1 to 1, not 2;")
                .hasMessageContaining("the device ib");
    }
}
