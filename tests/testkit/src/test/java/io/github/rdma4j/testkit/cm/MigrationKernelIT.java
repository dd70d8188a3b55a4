// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

/** {@link MigrationScenarios} on Linux. */
class MigrationKernelIT extends MigrationScenarios {
    MigrationKernelIT() {
        super(Place.running());
    }
}
