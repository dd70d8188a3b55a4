// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.support.Nightly;

/** The same in QEMU. */
@Nightly
class CommandInQemuIT extends CommandInGuestIT {
    @Override
    ProcessBuilder command(String... arguments) {
        return Launched.builder(arguments);
    }
}
