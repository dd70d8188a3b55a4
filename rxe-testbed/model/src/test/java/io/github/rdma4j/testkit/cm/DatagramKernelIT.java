// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.testbed.junit.SoftRoce;

/** {@link DatagramScenarios} on Linux. */
@SoftRoce
class DatagramKernelIT extends DatagramScenarios {
    DatagramKernelIT() {
        super(Place.running());
    }
}
