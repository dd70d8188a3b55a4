// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.siw;

import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.siw.SiwAbi.CompletionElement;
import io.github.rdma4j.internal.siw.SiwAbi.ReceiveElement;
import io.github.rdma4j.internal.siw.SiwAbi.SendElement;
import io.github.rdma4j.internal.siw.SiwAbi.Sge;
import io.github.rdma4j.internal.siw.SiwAbi.SiwConstants;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Elements that the process shares with the kernel. The word at offset 8 of each element has the flags, which show the
 * owner of the element. The side that hands an element over writes the word last; the side that takes an element reads
 * the word first.
 */
final class SiwRing {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    /** The same offset in {@link SendElement}, {@link ReceiveElement} and {@link CompletionElement}. */
    private static final int WORD = 8;

    private static final String WHAT = "siw ring";

    /** Null for a ring without elements, for which the kernel allocates no memory. */
    private final @Nullable RingMemory memory;

    private final ByteBuffer bytes;
    private final int count;
    private final int elementBytes;

    private SiwRing(@Nullable RingMemory memory, int count, int elementBytes) {
        this.memory = memory;
        this.bytes = memory != null ? memory.buffer() : ByteBuffer.allocate(0);
        this.count = count;
        this.elementBytes = elementBytes;
    }

    /** Maps {@code count} elements, followed by {@code more} bytes. */
    static SiwRing map(Device device, long key, int count, int elementBytes, int more) throws RdmaException {
        if (count == 0) {
            return new SiwRing(null, 0, elementBytes);
        }
        int page = device.pageSize();
        long length = ((long) count * elementBytes + more + page - 1) / page * page;
        if (count < 0 || length > Integer.MAX_VALUE) {
            throw new MalformedReplyException(WHAT, count, elementBytes);
        }
        return new SiwRing(device.map(key, (int) length, WHAT), count, elementBytes);
    }

    int count() {
        return count;
    }

    ByteBuffer bytes() {
        return bytes;
    }

    /** The offset of the element {@code index}. */
    int element(int index) {
        return index * elementBytes;
    }

    int next(int index) {
        return index + 1 == count ? 0 : index + 1;
    }

    /**
     * True if the kernel still owns the element {@code distance} places before {@code index}. The kernel returns
     * elements in order.
     *
     * @param distance 1 to the number of elements
     */
    boolean isTaken(int index, int distance) {
        int place = index < distance ? index - distance + count : index - distance;
        return (flags(word(place)) & SiwConstants.SIW_WQE_VALID) != 0;
    }

    /** The word with the flags, with acquire. */
    int word(int index) {
        return (int) INT.getAcquire(bytes, element(index) + WORD);
    }

    /** Hands the element over, with release. */
    void handOver(int index, int word) {
        INT.setRelease(bytes, element(index) + WORD, word);
    }

    /** Writes the 32 bits after the last element, before all later reads of the thread. */
    void control(int value) {
        INT.setOpaque(bytes, element(count), value);
        VarHandle.fullFence(); // on weakly ordered processors, a later acquire may pass a volatile write
    }

    /** The flags of a work request's word. */
    static int flags(int word) {
        return LITTLE ? word & 0xffff : word >>> 16;
    }

    /** The operation in a work request's word. */
    static int opcode(int word) {
        return LITTLE ? word >>> 24 : word & 0xff;
    }

    /** The word of a work request. */
    static int word(int flags, int pieces, int opcode) {
        return LITTLE ? flags | pieces << 16 | opcode << 24 : flags << 16 | pieces << 8 | opcode;
    }

    /** The flags of a completion's word. */
    static int completionFlags(int word) {
        return LITTLE ? word & 0xff : word >>> 24;
    }

    /** The operation in a completion's word. */
    static int completionOpcode(int word) {
        return LITTLE ? word >>> 8 & 0xff : word >>> 16 & 0xff;
    }

    /** The status in a completion's word. */
    static int completionStatus(int word) {
        return LITTLE ? word >>> 16 : word & 0xffff;
    }

    /**
     * The index of the first element that the kernel has not taken, after the kernel has stopped reading the ring.
     *
     * @param tail the index of the next element to write
     * @return the index; {@code tail} if the kernel has taken all elements
     */
    int firstUntaken(int tail) {
        int first = tail;
        for (int i = 0; i < count; i++) {
            int before = first == 0 ? count - 1 : first - 1;
            if ((flags(word(before)) & SiwConstants.SIW_WQE_VALID) == 0) {
                return first;
            }
            first = before;
        }
        return first;
    }

    /**
     * Checks that an element has room for {@code pieces}, because a program may change a request while it is being
     * posted.
     */
    static int requirePieces(int pieces) {
        if (pieces > SiwConstants.SIW_MAX_SGE) {
            throw new IllegalArgumentException("the work request grew while it was posted: " + pieces
                    + " pieces of memory where an element has room for " + SiwConstants.SIW_MAX_SGE);
        }
        return pieces;
    }

    /** Writes a scatter-gather entry at {@code at}. */
    void putPiece(int at, long iova, int length, int lkey) {
        bytes.putLong(at + Sge.LADDR, iova);
        bytes.putInt(at + Sge.LENGTH, length);
        bytes.putInt(at + Sge.LKEY, lkey);
    }

    void retire() {
        if (memory != null) {
            memory.retire();
        }
    }
}
