// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.testbed.junit.SoftRoce;

/** {@link AddressScenarios} on Linux. */
@SoftRoce
class AddressKernelIT extends AddressScenarios {
    AddressKernelIT() {
        super(Place.running());
    }
}
