// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.uverbs.IoctlAttr;
import io.github.rdma4j.internal.uverbs.IoctlHeader;
import io.github.rdma4j.internal.uverbs.UverbsAttributes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** One {@code RDMA_VERBS_IOCTL} as the kernel sees it: a header and its attributes in the memory of the process. */
final class IoctlFrame {
    private static final int INLINE_BYTES = 8;

    private final ByteBuffer frame;

    IoctlFrame(long address) {
        int length = Short.toUnsignedInt(
                NativeMemory.view(address, IoctlHeader.BYTES).getShort(IoctlHeader.LENGTH));
        frame = NativeMemory.view(address, Math.max(length, IoctlHeader.BYTES));
    }

    boolean isWellFormed() {
        return frame.capacity() == IoctlHeader.BYTES + attributes() * IoctlAttr.BYTES
                && frame.getLong(IoctlHeader.RESERVED1) == 0
                && frame.getInt(IoctlHeader.RESERVED2) == 0;
    }

    int object() {
        return frame.getShort(IoctlHeader.OBJECT_ID);
    }

    int method() {
        return frame.getShort(IoctlHeader.METHOD_ID);
    }

    int driver() {
        return frame.getInt(IoctlHeader.DRIVER_ID);
    }

    private int attributes() {
        return Short.toUnsignedInt(frame.getShort(IoctlHeader.NUM_ATTRS));
    }

    /** Where the attribute is, -1 when it did not come. */
    private int find(int id) {
        for (int i = 0; i < attributes(); i++) {
            int at = IoctlHeader.ATTRS + i * IoctlAttr.BYTES;
            if (frame.getShort(at + IoctlAttr.ATTR_ID) == (short) id) {
                return at;
            }
        }
        return -1;
    }

    boolean has(int id) {
        return find(id) >= 0;
    }

    /** A value or handle; 0 when it did not come. */
    long value(int id) {
        int at = find(id);
        return at < 0 ? 0 : frame.getLong(at + IoctlAttr.DATA);
    }

    int number(int id) {
        return (int) value(id);
    }

    /** The bytes of an input: beside the header up to eight bytes, by address beyond. */
    ByteBuffer input(int id) {
        int at = find(id);
        if (at < 0) {
            return Request.none();
        }
        int length = length(at);
        return length <= INLINE_BYTES
                ? frame.slice(at + IoctlAttr.DATA, length).order(ByteOrder.nativeOrder())
                : NativeMemory.view(frame.getLong(at + IoctlAttr.DATA), length);
    }

    /** The room for an output, which is said to be filled. */
    ByteBuffer output(int id) {
        int at = find(id);
        if (at < 0) {
            return Request.none();
        }
        int flags = frame.getShort(at + IoctlAttr.FLAGS) | UverbsAttributes.UVERBS_ATTR_F_VALID_OUTPUT;
        frame.putShort(at + IoctlAttr.FLAGS, (short) flags);
        return NativeMemory.view(frame.getLong(at + IoctlAttr.DATA), length(at));
    }

    private int length(int at) {
        return Short.toUnsignedInt(frame.getShort(at + IoctlAttr.LEN));
    }

    /** Says which object or descriptor was made. */
    void made(int id, int number) {
        int at = find(id);
        if (at >= 0) {
            frame.putLong(at + IoctlAttr.DATA, number);
        }
    }
}
