// SPDX-License-Identifier: Apache-2.0
/** {@code rdma4j devices}: the devices of this machine with their limits, capabilities and ports. */
@NullMarked
package io.github.rdma4j.cli.devices;

import org.jspecify.annotations.NullMarked;
