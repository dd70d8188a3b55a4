// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.testbed.junit.SoftRoce;

/** {@link ConnectScenarios} on Linux. */
@SoftRoce
class ConnectKernelIT extends ConnectScenarios {
    ConnectKernelIT() {
        super(Place.running());
    }
}
