// SPDX-License-Identifier: Apache-2.0
/** The machines of guests in any hypervisor: processes, ports, consoles, and the Ethernet between guests. */
@NullMarked
package io.github.rdma4j.testbed.machine;

import org.jspecify.annotations.NullMarked;
