// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.RDMA_VERBS_IOCTL;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.UVERBS_ATTR_F_MANDATORY;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.UVERBS_ATTR_UHW_IN;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.UVERBS_ATTR_UHW_OUT;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.memory.CommandArena;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.provider.Device.DriverMethod;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.DriverExchange.DriverRequest;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.IoctlAttr;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.IoctlHeader;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * One {@code RDMA_VERBS_IOCTL}: a header and its attributes, in a separate arena.
 *
 * <p>Each adder returns the key to the result: the offset of an output block, or the position of an attribute whose
 * data the kernel fills in. Every attribute is mandatory: a kernel that does not know an attribute fails with
 * EPROTONOSUPPORT instead of ignoring it.
 */
final class IoctlCommand implements DriverMethod {
    private static final int MAX_ATTRIBUTES = 16;
    private static final int INLINE_BYTES = 8;

    private final KernelFd device;
    private final String name;
    private final CommandArena arena = CommandArena.open();
    private final ByteBuffer memory = arena.buffer();
    private final int header;
    private int attributes;

    /**
     * A command without attributes.
     *
     * @param name the C constant of {@code methodId}, for errors
     */
    IoctlCommand(KernelFd device, int driverId, int objectId, int methodId, String name) {
        this.device = device;
        this.name = name;
        header = arena.allocate(IoctlHeader.BYTES + MAX_ATTRIBUTES * IoctlAttr.BYTES);
        memory.putShort(header + IoctlHeader.OBJECT_ID, (short) objectId);
        memory.putShort(header + IoctlHeader.METHOD_ID, (short) methodId);
        memory.putInt(header + IoctlHeader.DRIVER_ID, driverId);
    }

    /** A constant or flag word: always eight bytes, inline. */
    @Override
    public IoctlCommand constant(int attrId, long value) {
        add(attrId, Long.BYTES, value);
        return this;
    }

    /** A 32-bit input, inline. */
    @Override
    public IoctlCommand uint32(int attrId, int value) {
        add(attrId, Integer.BYTES, Integer.toUnsignedLong(value));
        return this;
    }

    /** A 64-bit input, inline. */
    IoctlCommand uint64(int attrId, long value) {
        add(attrId, Long.BYTES, value);
        return this;
    }

    /** The handle of an existing object. */
    @Override
    public IoctlCommand handle(int attrId, int handle) {
        add(attrId, 0, Integer.toUnsignedLong(handle));
        return this;
    }

    /** An open descriptor, by the number that its owner lends for this call. */
    IoctlCommand descriptor(int attrId, int fd) {
        add(attrId, 0, fd);
        return this;
    }

    /** An object or descriptor that the kernel creates; {@link #created} reads it at the returned position. */
    @Override
    public int create(int attrId) {
        return add(attrId, 0, 0);
    }

    /** The handle or descriptor number that the kernel wrote at {@code position}. */
    @Override
    public int created(int position) {
        return (int) memory.getLong(position + IoctlAttr.DATA);
    }

    /** The offset of an input block of {@code bytes} zeros, for the caller to fill before {@link #send}. */
    int block(int bytes) {
        return arena.allocate(bytes);
    }

    /**
     * Adds the input block at {@code offset}, by value up to eight bytes, by address if longer. Fill the block before
     * this call.
     */
    IoctlCommand input(int attrId, int offset, int bytes) {
        add(attrId, bytes, bytes <= INLINE_BYTES ? memory.getLong(offset) : arena.address(offset));
        return this;
    }

    /** An output block of {@code bytes}; returns its offset. */
    @Override
    public int output(int attrId, int bytes) {
        int offset = arena.allocate(bytes);
        add(attrId, bytes, arena.address(offset));
        return offset;
    }

    /** Adds the driver's request and reply, if there are any; returns the offset of the driver's reply. */
    int driver(DriverExchange driver) {
        if (driver.requestBytes() > 0) {
            int request = block(Math.max(driver.requestBytes(), INLINE_BYTES));
            ByteBuffer bytes = memory.slice(request, driver.requestBytes()).order(ByteOrder.nativeOrder());
            driver.writeRequest(new DriverRequestBytes(bytes));
            input(UVERBS_ATTR_UHW_IN, request, driver.requestBytes());
        }
        return driver.replyBytes() == 0 ? 0 : output(UVERBS_ATTR_UHW_OUT, driver.replyBytes());
    }

    ByteBuffer memory() {
        return memory;
    }

    @Override
    public int getInt(int position) {
        return memory.getInt(position);
    }

    @Override
    public long getLong(int position) {
        return memory.getLong(position);
    }

    @Override
    public void send() throws ErrnoException {
        require(trySend());
    }

    /** Sends the command: 0, or minus the error number. */
    int trySend() {
        memory.putShort(header + IoctlHeader.LENGTH, (short) (IoctlHeader.BYTES + attributes * IoctlAttr.BYTES));
        memory.putShort(header + IoctlHeader.NUM_ATTRS, (short) attributes);
        return device.ioctl(RDMA_VERBS_IOCTL, arena.address(header));
    }

    /** Throws the error of the command unless {@code result} of {@link #trySend} is 0. */
    void require(int result) throws ErrnoException {
        if (result < 0) {
            throw failure(result);
        }
    }

    /** The error of the command; {@code result} is minus the error number. */
    ErrnoException failure(int result) {
        Errno errno = Errno.ofResult(result);
        return new ErrnoException(name, errno, advice(errno));
    }

    /**
     * EAGAIN comes from the cgroup controller alone. ENOTTY and EPROTONOSUPPORT come from a kernel that does not know
     * the ioctl or the method.
     */
    private static String advice(Errno errno) {
        if (errno.equals(Errno.EAGAIN)) {
            return "A cgroup limits the number of objects on the device: raise rdma.max of the cgroup"
                    + " in /proc/self/cgroup, or close objects";
        }
        return errno.equals(Errno.ENOTTY) || errno.equals(Errno.EPROTONOSUPPORT)
                ? "The kernel's ib_uverbs does not know this command: Linux 5.8 or newer is needed"
                : "";
    }

    private int add(int attrId, int length, long data) {
        if (attributes == MAX_ATTRIBUTES) {
            throw new IllegalStateException("an ioctl of more than " + MAX_ATTRIBUTES + " attributes");
        }
        int position = header + IoctlHeader.ATTRS + attributes++ * IoctlAttr.BYTES;
        memory.putShort(position + IoctlAttr.ATTR_ID, (short) attrId);
        memory.putShort(position + IoctlAttr.LEN, (short) length);
        memory.putShort(position + IoctlAttr.FLAGS, (short) UVERBS_ATTR_F_MANDATORY);
        memory.putLong(position + IoctlAttr.DATA, data);
        return position;
    }

    @Override
    public void close() {
        arena.close();
    }

    /** The driver's request inside the memory of a command. Writes cannot reach other memory of the command. */
    private record DriverRequestBytes(ByteBuffer bytes) implements DriverRequest {
        @Override
        public void putByte(int offset, int value) {
            bytes.put(offset, (byte) value);
        }

        @Override
        public void putShort(int offset, int value) {
            bytes.putShort(offset, (short) value);
        }

        @Override
        public void putInt(int offset, int value) {
            bytes.putInt(offset, value);
        }

        @Override
        public void putLong(int offset, long value) {
            bytes.putLong(offset, value);
        }

        @Override
        public void putAddress(int offset, RingMemory memory, int at) {
            Objects.checkIndex(at, memory.buffer().capacity());
            bytes.putLong(offset, NativeMemory.address(memory.buffer()) + at);
        }
    }
}
