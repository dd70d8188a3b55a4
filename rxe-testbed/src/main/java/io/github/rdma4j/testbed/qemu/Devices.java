// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

/** Which RDMA devices a guest has. */
public enum Devices {
    /** {@code rxe0} on {@code veth0}, 10.77.0.1/24 and fd77::1/64, with {@code rdma_ucm} and {@code ib_umad}. */
    RXE,
    /** {@code siw0}, iWARP in software, on {@code veth0} with the same addresses. Its module is built for the guest. */
    SIW,
    /** None, and no RDMA module is loaded: a machine that knows nothing of RDMA. */
    NONE
}
