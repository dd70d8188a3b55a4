// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

/** What {@code kernel.c} exports beside the functions of libc. */
public interface InstantDevice {
    /** The device sends so many posted work requests and completes them; returns how many it found. */
    int device_complete(int count);

    /** Whether each command makes a system call of the least kind besides, 1 or 0. */
    void kernel_make_calls(int on);

    /** Whether there is an ioctl for verbs, 1 or 0. */
    void kernel_has_ioctl(int on);

    /** How many commands of the connection manager there have been. */
    long kernel_cm_commands();

    /** How many doorbells there have been. */
    long kernel_doorbells();
}
