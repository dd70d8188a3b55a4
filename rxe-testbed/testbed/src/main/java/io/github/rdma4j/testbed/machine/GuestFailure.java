// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import io.github.rdma4j.testbed.host.TestbedException;

/** The failures of a guest, as opposed to failures of its command. */
public enum GuestFailure {
    /** QEMU or User Mode Linux did not start; the message contains its output. */
    START(TestbedException.EXIT_STATUS),
    /** The guest ended or complained before the command started. */
    BOOT(TestbedException.EXIT_STATUS),
    /** The kernel panicked or ended for another reason. An oops causes a panic too. */
    PANIC(121),
    /** The guest ran out of memory: its kernel killed the command or gave up. */
    OUT_OF_MEMORY(122),
    /** The guest gave no sign of life for too long. */
    HUNG(123),
    /** The command ran longer than its timeout. */
    TIMEOUT(124);

    private final int exitStatus;

    GuestFailure(int exitStatus) {
        this.exitStatus = exitStatus;
    }

    /** The exit status of the command line after this failure. */
    public int exitStatus() {
        return exitStatus;
    }
}
