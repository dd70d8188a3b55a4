// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import io.github.rdma4j.internal.provider.DriverMethod;
import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;

/** A method of the ioctl that only the driver has. */
final class IoctlDriverMethod implements DriverMethod {
    private final KernelFd device;
    private final String name;
    private final IoctlCommand command;

    IoctlDriverMethod(KernelFd device, String name, IoctlCommand command) {
        this.device = device;
        this.name = name;
        this.command = command;
    }

    @Override
    public DriverMethod constant(int attribute, long value) {
        command.constant(attribute, value);
        return this;
    }

    @Override
    public DriverMethod uint32(int attribute, int value) {
        command.uint32(attribute, value);
        return this;
    }

    @Override
    public DriverMethod uint64(int attribute, long value) {
        command.uint64(attribute, value);
        return this;
    }

    @Override
    public DriverMethod handle(int attribute, int handle) {
        command.handle(attribute, handle);
        return this;
    }

    @Override
    public int create(int attribute) {
        return command.create(attribute);
    }

    @Override
    public int output(int attribute, int bytes) {
        return command.output(attribute, bytes);
    }

    @Override
    public void send() throws ErrnoException {
        int result = command.send(device);
        if (result < 0) {
            throw new ErrnoException(name, Errno.ofResult(result));
        }
    }

    @Override
    public int created(int position) {
        return command.created(position);
    }

    @Override
    public int getInt(int position) {
        return command.memory().getInt(position);
    }

    @Override
    public long getLong(int position) {
        return command.memory().getLong(position);
    }

    @Override
    public void close() {
        command.close();
    }
}
