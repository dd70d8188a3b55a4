// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;

/** An eventfd: any thread raises it, and the waiting thread lowers it. */
public final class EventFd implements Pollable, AutoCloseable {
    private final Syscalls syscalls;
    private final KernelFd descriptor;

    private EventFd(Kernel kernel, String name) throws ErrnoException {
        syscalls = LinuxKernel.of(kernel).syscalls();
        descriptor = open(syscalls, name);
    }

    /** A new eventfd; {@code name} is for messages. */
    public static EventFd open(Kernel kernel, String name) throws ErrnoException {
        return new EventFd(kernel, name);
    }

    static KernelFd open(Syscalls syscalls, String name) throws ErrnoException {
        int number = syscalls.eventfd();
        if (number < 0) {
            Errno errno = Errno.ofResult(number);
            throw new ErrnoException("eventfd", errno, NodeAdvice.forDescriptors(errno));
        }
        return KernelFd.adopt(syscalls, number, name);
    }

    @Override
    public KernelFd descriptor() {
        return descriptor;
    }

    /** Makes the descriptor readable; does nothing once it is closed. */
    public void raise() {
        if (descriptor.tryEnter()) {
            try {
                syscalls.eventfdSignal(descriptor.number());
            } finally {
                descriptor.leave();
            }
        }
    }

    /** Resets the descriptor, so that it is no longer readable; does nothing once it is closed. */
    public void lower() {
        if (descriptor.tryEnter()) {
            try {
                syscalls.eventfdDrain(descriptor.number());
            } finally {
                descriptor.leave();
            }
        }
    }

    @Override
    public void close() {
        descriptor.close();
    }
}
