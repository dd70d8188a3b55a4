// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

/** {@link AddressScenarios} on Linux. */
class AddressKernelIT extends AddressScenarios {
    AddressKernelIT() {
        super(Place.running());
    }
}
