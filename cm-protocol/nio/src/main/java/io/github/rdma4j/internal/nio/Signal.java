// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.syscall.Syscalls;
import java.io.IOException;

/** An eventfd to sleep on, for what has no descriptor of its own. */
final class Signal {
    private final Syscalls syscalls;
    private final KernelFd descriptor;

    private Signal(Syscalls syscalls, int number) {
        this.syscalls = syscalls;
        descriptor = KernelFd.adopt(syscalls, number, "eventfd of a channel");
    }

    static Signal open() throws IOException {
        Syscalls syscalls = LinuxKernel.running().syscalls();
        int number = syscalls.eventfd();
        if (number < 0) {
            throw SocketErrors.ofStream(number);
        }
        return new Signal(syscalls, number);
    }

    KernelFd descriptor() {
        return descriptor;
    }

    /** Makes the descriptor readable. */
    void raise() {
        if (descriptor.tryEnter()) {
            try {
                syscalls.eventfdSignal(descriptor.number());
            } finally {
                descriptor.leave();
            }
        }
    }

    /** Makes the descriptor readable no longer. */
    void drain() {
        if (descriptor.tryEnter()) {
            try {
                syscalls.eventfdDrain(descriptor.number());
            } finally {
                descriptor.leave();
            }
        }
    }

    void close() {
        descriptor.close();
    }
}
