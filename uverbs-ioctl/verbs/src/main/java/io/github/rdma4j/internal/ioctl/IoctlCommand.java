// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import static io.github.rdma4j.internal.uverbs.IoctlRequests.RDMA_VERBS_IOCTL;
import static io.github.rdma4j.internal.uverbs.UverbsAttributes.UVERBS_ATTR_F_MANDATORY;
import static io.github.rdma4j.internal.uverbs.UverbsAttributes.UVERBS_ATTR_UHW_IN;
import static io.github.rdma4j.internal.uverbs.UverbsAttributes.UVERBS_ATTR_UHW_OUT;

import io.github.rdma4j.internal.memory.CommandArena;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.uverbs.IoctlAttr;
import io.github.rdma4j.internal.uverbs.IoctlHeader;
import java.nio.ByteBuffer;

/**
 * One {@code RDMA_VERBS_IOCTL}: a header, then its attributes, all in an arena of its own.
 *
 * <p>Each adder returns what the caller needs to read the result later: the offset of an output block, or the position
 * of an attribute whose data the kernel fills in. Every attribute is mandatory, so that a kernel which does not know it
 * says EPROTONOSUPPORT instead of doing something else.
 */
final class IoctlCommand implements AutoCloseable {
    private static final int MAX_ATTRIBUTES = 16;
    private static final int INLINE_BYTES = 8;

    private final CommandArena arena = CommandArena.open();
    private final ByteBuffer memory = arena.buffer();
    private final int header;
    private int attributes;

    IoctlCommand(int objectId, int methodId, int driverId) {
        header = arena.allocate(IoctlHeader.BYTES + MAX_ATTRIBUTES * IoctlAttr.BYTES);
        memory.putShort(header + IoctlHeader.OBJECT_ID, (short) objectId);
        memory.putShort(header + IoctlHeader.METHOD_ID, (short) methodId);
        memory.putInt(header + IoctlHeader.DRIVER_ID, driverId);
    }

    /** A constant or flag word: always eight bytes, inline. */
    IoctlCommand constant(int attrId, long value) {
        add(attrId, Long.BYTES, value);
        return this;
    }

    /** A 32-bit input, inline. */
    IoctlCommand uint32(int attrId, int value) {
        add(attrId, Integer.BYTES, Integer.toUnsignedLong(value));
        return this;
    }

    /** A 64-bit input, inline. */
    IoctlCommand uint64(int attrId, long value) {
        add(attrId, Long.BYTES, value);
        return this;
    }

    /** The handle of an existing object. */
    IoctlCommand handle(int attrId, int handle) {
        add(attrId, 0, Integer.toUnsignedLong(handle));
        return this;
    }

    /** An open descriptor, by the number that its owner has lent for this call. */
    IoctlCommand descriptor(int attrId, int fd) {
        add(attrId, 0, fd);
        return this;
    }

    /** An object or descriptor that the kernel makes; {@link #created} reads it at the position returned. */
    int create(int attrId) {
        return add(attrId, 0, 0);
    }

    /** What the kernel made at {@code position}: a handle or the number of a descriptor. */
    int created(int position) {
        return (int) memory.getLong(position + IoctlAttr.DATA);
    }

    /** The offset of an input block of {@code bytes} zeros, for the caller to fill before {@link #send}. */
    int block(int bytes) {
        return arena.allocate(bytes);
    }

    /** The input block at {@code offset}: by value up to eight bytes, by address beyond. Call when it is filled. */
    IoctlCommand input(int attrId, int offset, int bytes) {
        add(attrId, bytes, bytes <= INLINE_BYTES ? memory.getLong(offset) : arena.address(offset));
        return this;
    }

    /** An output block of {@code bytes}; returns its offset. */
    int output(int attrId, int bytes) {
        int offset = arena.allocate(bytes);
        add(attrId, bytes, arena.address(offset));
        return offset;
    }

    /** The driver's part, what there is of it; returns the offset of the driver's reply. */
    int driver(DriverExchange driver) {
        if (driver.requestBytes() > 0) {
            int request = block(Math.max(driver.requestBytes(), INLINE_BYTES));
            DriverRequestBytes.write(driver, memory, request);
            input(UVERBS_ATTR_UHW_IN, request, driver.requestBytes());
        }
        return driver.replyBytes() == 0 ? 0 : output(UVERBS_ATTR_UHW_OUT, driver.replyBytes());
    }

    ByteBuffer memory() {
        return memory;
    }

    /** Sends the command: 0, or minus the error number. */
    int send(KernelFd device) {
        memory.putShort(header + IoctlHeader.LENGTH, (short) (IoctlHeader.BYTES + attributes * IoctlAttr.BYTES));
        memory.putShort(header + IoctlHeader.NUM_ATTRS, (short) attributes);
        return device.ioctl(RDMA_VERBS_IOCTL, arena.address(header));
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
}
