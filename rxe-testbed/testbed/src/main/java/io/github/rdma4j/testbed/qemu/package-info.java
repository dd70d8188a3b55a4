// SPDX-License-Identifier: Apache-2.0
/** QEMU: its command line, KVM and the device pvrdma. */
@NullMarked
package io.github.rdma4j.testbed.qemu;

import org.jspecify.annotations.NullMarked;
