// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.KernelImage;
import org.jspecify.annotations.Nullable;

/** Runs guests on one kernel. */
public interface Hypervisor {
    /**
     * Powers a machine on and waits until its ports are connected.
     *
     * @param link the networks that the guest shares with others, if it is one of several
     * @throws GuestFailureException if the machine ended before
     */
    GuestMachine start(MachineSpec machine, @Nullable NodeLink link) throws TestbedException, InterruptedException;

    /** The name in messages, such as {@code QEMU}. */
    String name();

    /** The kernel of the guests. */
    KernelImage image();

    /** The executor of the guest's instructions, such as {@code KVM}. */
    String processor();
}
