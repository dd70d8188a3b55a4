// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HostProcessorTest {
    private static HostProcessor processor(String flags) {
        return new HostProcessor(
                List.of("processor\t: 0", "cpu MHz\t\t: 2099.998", "flags\t\t: " + flags, "cpu MHz\t\t: 800.000"));
    }

    @Test
    void theCounterOfAVirtualMachineHasTheSpeedOfItsProcessor() {
        assertThat(processor("fpu tsc hypervisor lahf_lm").timeStampKilohertz()).hasValue(2_099_998L);
    }

    @Test
    void theCounterOfARealMachineHasASpeedOfItsOwn() {
        HostProcessor real = processor("fpu tsc lahf_lm");
        assertThat(real.timeStampKilohertz()).isEmpty();
        assertThat(real.megahertz()).hasValue("2099.998");
    }

    @Test
    void aMachineThatTellsNothingHasNoSpeed() {
        HostProcessor silent = new HostProcessor(List.of("processor\t: 0", "BogoMIPS\t: 50.00"));
        assertThat(silent.megahertz()).isEmpty();
        assertThat(silent.timeStampKilohertz()).isEmpty();
    }
}
