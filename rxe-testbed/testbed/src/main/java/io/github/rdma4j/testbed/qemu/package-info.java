// SPDX-License-Identifier: Apache-2.0
/** QEMU: its command line, accelerators and processes, the serial console, and the Ethernet between guests. */
@NullMarked
package io.github.rdma4j.testbed.qemu;

import org.jspecify.annotations.NullMarked;
