// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.internal.uverbs.VerbsIoctl;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.IoctlAttr;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.IoctlHeader;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsMethods;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsObjects;
import io.github.rdma4j.internal.uverbs.WriteCommand;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** An open device to which the test sends bytes. All buffers are in native byte order. */
final class RawDevice implements AutoCloseable {
    private static final int NONE = -1;

    private final Syscalls syscalls;
    private final int fd;
    private final List<ByteBuffer> alive = new ArrayList<>();
    private ByteBuffer reply = memory(8);
    private ByteBuffer driverReply = memory(8);
    private int async = NONE;

    RawDevice(CardKernel kernel) {
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
    int invoke(WriteCommand<?> command, ByteBuffer core, ByteBuffer driver, int driverReplyBytes) {
        makeRoom(command.replyBytes(), driverReplyBytes);
        return ioctl(
                UverbsObjects.UVERBS_OBJECT_DEVICE,
                UverbsMethods.UVERBS_METHOD_INVOKE_WRITE,
                input(UVERBS_ATTR_CORE_IN, core),
                buffer(UVERBS_ATTR_CORE_OUT, reply),
                value(UVERBS_ATTR_WRITE_CMD, command.number()),
                input(UVERBS_ATTR_UHW_IN, driver),
                buffer(UVERBS_ATTR_UHW_OUT, driverReply));
    }

    private void makeRoom(int replyBytes, int driverReplyBytes) {
        reply = memory(replyBytes);
        driverReply = memory(driverReplyBytes);
    }

    /** 32 bits of the last reply. */
    int reply(int offset) {
        return reply.getInt(offset);
    }

    /** 32 bits of what the driver added to the last reply. */
    int driverReply(int offset) {
        return driverReply.getInt(offset);
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

    /** An input: beside the header up to eight bytes, by address beyond. */
    private Attribute input(int id, ByteBuffer bytes) {
        return bytes.capacity() > Long.BYTES
                ? buffer(id, bytes)
                : new Attribute(
                        id,
                        bytes.capacity(),
                        memory(Long.BYTES).put(0, bytes, 0, bytes.capacity()).getLong(0));
    }

    Attribute buffer(int id, ByteBuffer bytes) {
        alive.add(bytes);
        return new Attribute(id, bytes.capacity(), NativeMemory.address(bytes));
    }

    /** Sends an ioctl; the result is 0 or minus the error number. */
    int ioctl(int object, int method, Attribute... attributes) {
        return send(frame(object, method, attributes));
    }

    private int send(ByteBuffer frame) {
        return syscalls.ioctl(fd, VerbsIoctl.RDMA_VERBS_IOCTL, NativeMemory.address(frame));
    }

    private ByteBuffer frame(int object, int method, Attribute... attributes) {
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
        return frame;
    }

    /** GET_CONTEXT with {@code request} as the driver's. */
    int getContext(ByteBuffer request) {
        makeRoom(Integer.BYTES, 72);
        return ioctl(
                UverbsObjects.UVERBS_OBJECT_DEVICE,
                UverbsMethods.UVERBS_METHOD_GET_CONTEXT,
                buffer(UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, reply),
                buffer(UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, memory(Long.BYTES)),
                input(UVERBS_ATTR_UHW_IN, request),
                buffer(UVERBS_ATTR_UHW_OUT, driverReply));
    }

    /** GET_CONTEXT with the request of a provider that uses what {@code libCaps} names. */
    int getContext(int libCaps) {
        return getContext(words(16, 4, 0, 0, 1, 0, libCaps, 0));
    }

    /** Makes the descriptor of asynchronous events. */
    int async() {
        ByteBuffer frame = frame(
                UverbsObjects.UVERBS_OBJECT_ASYNC_EVENT,
                UverbsMethods.UVERBS_METHOD_ASYNC_EVENT_ALLOC,
                new Attribute(UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, 0, 0));
        int result = send(frame);
        async = result < 0 ? NONE : (int) frame.getLong(IoctlHeader.ATTRS + IoctlAttr.DATA);
        return async;
    }

    /** CQ_CREATE for {@code cqe} entries, with {@code driver} as the driver's request. */
    int createCq(int cqe, ByteBuffer driver) {
        makeRoom(Integer.BYTES, Long.BYTES);
        return ioctl(
                UverbsObjects.UVERBS_OBJECT_CQ,
                UverbsMethods.UVERBS_METHOD_CQ_CREATE,
                new Attribute(UVERBS_ATTR_CREATE_CQ_HANDLE, 0, 0),
                value(UVERBS_ATTR_CREATE_CQ_CQE, cqe),
                value(UVERBS_ATTR_CREATE_CQ_USER_HANDLE, 7),
                buffer(UVERBS_ATTR_CREATE_CQ_RESP_CQE, reply),
                input(UVERBS_ATTR_UHW_IN, driver),
                buffer(UVERBS_ATTR_UHW_OUT, driverReply));
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
