// SPDX-License-Identifier: Apache-2.0
/**
 * Machines that guests run on, whatever runs the machines: processes, ports, consoles, and the Ethernet between guests.
 */
@NullMarked
package io.github.rdma4j.testbed.machine;

import org.jspecify.annotations.NullMarked;
