// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.testkit;

import io.github.rdma4j.internal.memory.NativeMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The kernel's view of an {@code RDMA_VERBS_IOCTL}: a header and its attributes in the memory of the process ({@code
 * struct ib_uverbs_ioctl_hdr} and {@code struct ib_uverbs_attr} of uapi {@code rdma/rdma_user_ioctl_cmds.h}).
 */
public final class IoctlFrame {
    /** The request number of ioctl(2). */
    public static final long RDMA_VERBS_IOCTL = 0xc018_1b01L;

    private static final int HEADER_BYTES = 24;
    private static final int OBJECT_ID = 2;
    private static final int METHOD_ID = 4;
    private static final int NUM_ATTRS = 6;
    private static final int RESERVED1 = 8;
    private static final int DRIVER_ID = 16;
    private static final int RESERVED2 = 20;
    private static final int ATTR_BYTES = 16;
    private static final int ATTR_LENGTH = 2;
    private static final int ATTR_FLAGS = 4;
    private static final int ATTR_DATA = 8;
    private static final int VALID_OUTPUT = 2;
    private static final int INLINE_BYTES = 8;

    private final ByteBuffer frame;

    public IoctlFrame(long address) {
        int length =
                Short.toUnsignedInt(NativeMemory.view(address, HEADER_BYTES).getShort(0));
        frame = NativeMemory.view(address, Math.max(length, HEADER_BYTES));
    }

    public boolean isWellFormed() {
        return frame.capacity() == HEADER_BYTES + attributes() * ATTR_BYTES
                && frame.getLong(RESERVED1) == 0
                && frame.getInt(RESERVED2) == 0;
    }

    public int object() {
        return frame.getShort(OBJECT_ID);
    }

    public int method() {
        return frame.getShort(METHOD_ID);
    }

    public int driver() {
        return frame.getInt(DRIVER_ID);
    }

    private int attributes() {
        return Short.toUnsignedInt(frame.getShort(NUM_ATTRS));
    }

    /** The offset of the attribute, or -1 if it is absent. */
    private int find(int id) {
        for (int i = 0; i < attributes(); i++) {
            int at = HEADER_BYTES + i * ATTR_BYTES;
            if (frame.getShort(at) == (short) id) {
                return at;
            }
        }
        return -1;
    }

    public boolean has(int id) {
        return find(id) >= 0;
    }

    /** A value or handle; 0 if it is absent. */
    public long value(int id) {
        int at = find(id);
        return at < 0 ? 0 : frame.getLong(at + ATTR_DATA);
    }

    /** Like {@link #value}, as 32 bits. */
    public int number(int id) {
        return (int) value(id);
    }

    /** The bytes of an input, empty if it is absent: in the attribute up to eight bytes, by address otherwise. */
    public ByteBuffer input(int id) {
        int at = find(id);
        if (at < 0) {
            return none();
        }
        int length = length(at);
        return length <= INLINE_BYTES
                ? frame.slice(at + ATTR_DATA, length).order(ByteOrder.nativeOrder())
                : NativeMemory.view(frame.getLong(at + ATTR_DATA), length);
    }

    /** The memory of an output, which is marked as written; empty if it is absent. */
    public ByteBuffer output(int id) {
        int at = find(id);
        if (at < 0) {
            return none();
        }
        frame.putShort(at + ATTR_FLAGS, (short) (frame.getShort(at + ATTR_FLAGS) | VALID_OUTPUT));
        return NativeMemory.view(frame.getLong(at + ATTR_DATA), length(at));
    }

    private static ByteBuffer none() {
        return ByteBuffer.allocate(0).order(ByteOrder.nativeOrder());
    }

    private int length(int at) {
        return Short.toUnsignedInt(frame.getShort(at + ATTR_LENGTH));
    }

    /** Sets the handle of the new object, or the number of the new descriptor. */
    public void made(int id, int number) {
        int at = find(id);
        if (at >= 0) {
            frame.putLong(at + ATTR_DATA, number);
        }
    }
}
