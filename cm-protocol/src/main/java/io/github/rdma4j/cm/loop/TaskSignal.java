// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.syscall.NodeAdvice;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;

/** An eventfd by which other threads tell the loop that there is something to do. */
final class TaskSignal implements Pollable, AutoCloseable {
    private final Kernel kernel;
    private final KernelFd fd;

    private TaskSignal(Kernel kernel, KernelFd fd) {
        this.kernel = kernel;
        this.fd = fd;
    }

    static TaskSignal open(Kernel kernel) throws ErrnoException {
        int number = LinuxKernel.of(kernel).syscalls().eventfd();
        if (number < 0) {
            Errno errno = Errno.ofResult(number);
            throw new ErrnoException("eventfd", errno, NodeAdvice.forDescriptors(errno));
        }
        return new TaskSignal(kernel, KernelFd.adopt(kernel, number, "eventfd of a CM event loop"));
    }

    /** From any thread; does nothing once the loop has ended. */
    void raise() {
        try {
            fd.use(number -> LinuxKernel.of(kernel).syscalls().eventfdSignal(number));
        } catch (IllegalStateException endedMeanwhile) {
            // Nobody waits for it any more.
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
