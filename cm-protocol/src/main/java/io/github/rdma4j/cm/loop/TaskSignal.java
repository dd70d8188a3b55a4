// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.syscall.NodeAdvice;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;

/** An eventfd that wakes the loop when another thread adds a task. */
final class TaskSignal implements Pollable, AutoCloseable {
    private final Kernel kernel;
    private final KernelFd fd;

    private TaskSignal(Kernel kernel) throws ErrnoException {
        this.kernel = kernel;
        this.fd = openEventfd(kernel);
    }

    /** The object is there when the descriptor is opened, which would be lost for lack of memory otherwise. */
    static TaskSignal open(Kernel kernel) throws ErrnoException {
        return new TaskSignal(kernel);
    }

    private static KernelFd openEventfd(Kernel kernel) throws ErrnoException {
        int number = LinuxKernel.of(kernel).syscalls().eventfd();
        if (number < 0) {
            Errno errno = Errno.ofResult(number);
            throw new ErrnoException("eventfd", errno, NodeAdvice.forDescriptors(errno));
        }
        return KernelFd.adopt(kernel, number, "eventfd of a CM event loop");
    }

    /** Wakes the loop, from any thread; does nothing after the loop has ended. */
    void raise() {
        try {
            fd.use(number -> LinuxKernel.of(kernel).syscalls().eventfdSignal(number));
        } catch (IllegalStateException endedMeanwhile) {
            // The loop has ended and no longer waits.
        }
    }

    void lower() {
        fd.use(number -> LinuxKernel.of(kernel).syscalls().eventfdDrain(number));
    }

    @Override
    public KernelFd descriptor() {
        return fd;
    }

    @Override
    public void close() {
        fd.close();
    }
}
