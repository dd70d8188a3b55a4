// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

/** {@link DatagramScenarios} on Linux. */
class DatagramKernelIT extends DatagramScenarios {
    DatagramKernelIT() {
        super(Place.running());
    }
}
