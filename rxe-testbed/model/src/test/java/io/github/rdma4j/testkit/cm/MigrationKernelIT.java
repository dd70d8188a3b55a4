// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.testbed.junit.SoftRoce;

/** {@link MigrationScenarios} on Linux. */
@SoftRoce
class MigrationKernelIT extends MigrationScenarios {
    MigrationKernelIT() {
        super(Place.running());
    }
}
