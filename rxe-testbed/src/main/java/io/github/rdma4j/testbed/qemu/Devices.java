// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

/** Which RDMA devices a guest has. */
public enum Devices {
    /** {@code rxe0} on {@code veth0}, 10.77.0.1/24 and fd77::1/64, with {@code rdma_ucm} and {@code ib_umad}. */
    RXE,
    /** None, and no RDMA module is loaded: a machine that knows nothing of RDMA. */
    NONE
}
