// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.testbed.Testbed;
import io.github.rdma4j.testbed.junit.SoftRoce;
import org.junit.jupiter.api.Tag;

/** {@link LoopScenarios} on InfiniBand. */
@Tag("slow")
@SoftRoce(device = Testbed.Device.IB)
class LoopIbIT extends LoopScenarios {
    LoopIbIT() {
        super(Place.running());
    }
}
