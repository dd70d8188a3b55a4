// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

/** {@link ConnectScenarios} on Linux. */
class ConnectKernelIT extends ConnectScenarios {
    ConnectKernelIT() {
        super(Place.running());
    }
}
