// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.internal.uverbs.IoctlAttr;
import io.github.rdma4j.internal.uverbs.IoctlHeader;
import io.github.rdma4j.internal.uverbs.IoctlRequests;
import io.github.rdma4j.internal.uverbs.WriteCommand;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** An open device to which the test sends bytes. All buffers are in native byte order. */
final class RawDevice implements AutoCloseable {
    private static final int HEADER = 8;
    private static final int NONE = -1;

    private final Syscalls syscalls;
    private final int fd;
    private final List<ByteBuffer> alive = new ArrayList<>();
    private ByteBuffer reply = memory(8);
    private int replyBytes;
    private int async = NONE;

    RawDevice(Mlx5Kernel kernel) {
        syscalls = LinuxKernel.of(kernel.kernel()).syscalls();
        fd = syscalls.open("/dev/infiniband/uverbs0", Syscalls.O_RDWR);
    }

    static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** A driver's request with ints from offset 0 on. */
    static ByteBuffer words(int... words) {
        ByteBuffer bytes = memory(words.length * Integer.BYTES);
        for (int word : words) {
            bytes.putInt(word);
        }
        return bytes;
    }

    Syscalls syscalls() {
        return syscalls;
    }

    int fd() {
        return fd;
    }

    /** Sends a command of the write set; the result is 0 or minus the error number. */
    int write(WriteCommand<?> command, ByteBuffer core, ByteBuffer driver, int driverReplyBytes) {
        replyBytes = command.replyBytes();
        reply = memory(Math.max(8, replyBytes + driverReplyBytes));
        ByteBuffer bytes = memory(HEADER + command.requestBytes() + driver.capacity());
        bytes.putInt(0, command.number());
        bytes.putShort(4, (short) (bytes.capacity() / 4));
        bytes.putShort(6, (short) ((replyBytes + driverReplyBytes) / 4));
        bytes.put(HEADER, core, 0, Math.min(core.capacity(), command.requestBytes()));
        if (replyBytes > 0) {
            bytes.putLong(HEADER, NativeMemory.address(reply));
        }
        bytes.put(HEADER + command.requestBytes(), driver, 0, driver.capacity());
        alive.add(bytes);
        long result = syscalls.write(fd, NativeMemory.address(bytes), bytes.capacity());
        return result < 0 ? (int) result : 0;
    }

    /** 32 bits of the last reply. */
    int reply(int offset) {
        return reply.getInt(offset);
    }

    /** 32 bits of what the driver added to the last reply. */
    int driverReply(int offset) {
        return reply.getInt(replyBytes + offset);
    }

    /**
     * An attribute of an ioctl.
     *
     * @param id its number
     * @param length bytes behind {@code data}, 0 for a handle
     * @param data a value, a handle or an address
     */
    record Attribute(int id, int length, long data) {}

    Attribute value(int id, long value) {
        return new Attribute(id, Long.BYTES, value);
    }

    Attribute buffer(int id, ByteBuffer bytes) {
        alive.add(bytes);
        return new Attribute(id, bytes.capacity(), NativeMemory.address(bytes));
    }

    /** Sends an ioctl; the result is 0 or minus the error number. */
    int ioctl(int object, int method, Attribute... attributes) {
        ByteBuffer frame = memory(IoctlHeader.BYTES + attributes.length * IoctlAttr.BYTES);
        frame.putShort(IoctlHeader.LENGTH, (short) frame.capacity())
                .putShort(IoctlHeader.OBJECT_ID, (short) object)
                .putShort(IoctlHeader.METHOD_ID, (short) method)
                .putShort(IoctlHeader.NUM_ATTRS, (short) attributes.length)
                .putInt(IoctlHeader.DRIVER_ID, DriverIds.RDMA_DRIVER_MLX5);
        int at = IoctlHeader.ATTRS;
        for (Attribute attribute : attributes) {
            frame.putShort(at + IoctlAttr.ATTR_ID, (short) attribute.id())
                    .putShort(at + IoctlAttr.LEN, (short) attribute.length())
                    .putLong(at + IoctlAttr.DATA, attribute.data());
            at += IoctlAttr.BYTES;
        }
        alive.add(frame);
        return syscalls.ioctl(fd, IoctlRequests.RDMA_VERBS_IOCTL, NativeMemory.address(frame));
    }

    /** GET_CONTEXT with the request of a provider that uses what {@code libCaps} names. */
    int getContext(int libCaps) {
        int result = write(WriteCommand.GET_CONTEXT, memory(8), words(16, 4, 0, 0, 1, 0, libCaps, 0), 72);
        async = result == 0 ? reply(0) : NONE;
        return result;
    }

    /** The descriptor of asynchronous events. */
    int async() {
        return async;
    }

    /** Memory of the process, mapped through the kernel. */
    long map(int bytes) {
        int flags = Syscalls.MAP_PRIVATE | Syscalls.MAP_ANONYMOUS;
        return syscalls.mmap(0, bytes, Syscalls.PROT_READ | Syscalls.PROT_WRITE, flags, -1, 0);
    }

    /** Maps something of the device. */
    long map(long offset, int bytes) {
        return syscalls.mmap(0, bytes, Syscalls.PROT_READ | Syscalls.PROT_WRITE, Syscalls.MAP_SHARED, fd, offset);
    }

    @Override
    public void close() {
        if (async != NONE) {
            syscalls.close(async);
        }
        syscalls.close(fd);
    }
}
