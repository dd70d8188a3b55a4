// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.irdma;

import io.github.rdma4j.internal.irdma.IrdmaAbi;
import io.github.rdma4j.internal.irdma.IrdmaAbi.ContextResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.Newer;
import io.github.rdma4j.internal.irdma.IrdmaProvider;
import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.providers.script.Libraries;
import io.github.rdma4j.providers.script.Mode;
import io.github.rdma4j.providers.script.PlayedDriver;
import io.github.rdma4j.providers.script.RandomVerbs;
import io.github.rdma4j.verbs.attr.QpCap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A device of Intel's.
 *
 * @param name what the file of its vectors is called
 * @param generation the generation of the device; 0 with the driver before irdma
 * @param kernelSends elements that the kernel sends before those of the program, over iWARP
 * @param fewest the fewest elements of a ring, as newer kernels say, which compute the sizes of rings from the capacities that
 *     programs name; 0 for older kernels
 */
public record IrdmaMode(String name, int generation, int kernelSends, int fewest) implements Mode {
    /** E810 over RoCE; completion queues change their size. */
    public static final IrdmaMode ROCE = new IrdmaMode("roce", 2, 0, 0);

    /** E810 over iWARP; the kernel sends the first three elements. */
    public static final IrdmaMode IWARP = new IrdmaMode("iwarp", 2, 3, 0);

    /** X722, whose elements have another form. */
    public static final IrdmaMode X722 = new IrdmaMode("x722", 1, 1, 0);

    /** X722 with the driver before irdma. */
    public static final IrdmaMode I40IW = new IrdmaMode("i40iw", 0, 1, 0);

    /** E810 over RoCE with a newer kernel and library. */
    public static final IrdmaMode ROCE_NEWER = new IrdmaMode("roce_newer", 2, 0, 8);

    /** The third generation, over RoCE. */
    public static final IrdmaMode GEN3 = new IrdmaMode("gen3", 3, 0, 16);

    /** The driver of Intel's RDMA devices. */
    public static final Driver DRIVER = new Driver(
            "irdma",
            new Driver.Identity("irdma_0", "1: CA", "pci:v00008086d00001592sv00008086sd00000002bc02sc00i00", 5),
            ROCE,
            IWARP,
            X722,
            I40IW,
            ROCE_NEWER,
            GEN3);

    /** The most quanta of a shared receive ring. */
    public static final int MOST_SHARED_QUANTA = 262_144;

    private static final int MOST_QUANTA = 32_768;
    private static final int AFTER_RTS = 1;
    private static final int RESIZE = 2;

    /** Sends after RTS, over iWARP only; resized queues, completions of 64 bytes, atomics, shared receives. */
    private static final long FEATURES_OF_GENERATION_3 = 0xe3;

    /** Sizes by the capacities of programs, the fewest elements of a ring, the most quanta of a shared receive ring. */
    private static final long SAID_BY_NEWER_KERNELS = 7;

    private static final int SEND_RESERVE = 258;
    private static final int RECEIVE_RESERVE = 1;

    @Override
    public Driver driver() {
        return DRIVER;
    }

    @Override
    public List<String> arguments() {
        return List.of(name);
    }

    /** Whether the device runs iWARP. */
    public boolean isIwarp() {
        return kernelSends > 0;
    }

    /** The form of elements and completions of E810. */
    public boolean hasNewFormat() {
        return generation >= 2;
    }

    /** A kernel that computes the sizes of rings, and the library that knows such kernels. */
    public boolean isNewer() {
        return fewest > 0;
    }

    /** Completions of 64 bytes, atomic operations and shared receive queues. */
    public boolean isThird() {
        return generation == 3;
    }

    /** The most pieces of a request. */
    public int pieces() {
        return isThird() ? 14 : hasNewFormat() ? 13 : 3;
    }

    /** The most bytes of inline data. */
    public int inline() {
        return isThird() ? 216 : hasNewFormat() ? 101 : 48;
    }

    /** The quanta that an element does not cross a multiple of. */
    public int chunk() {
        return hasNewFormat() ? 8 : 2;
    }

    /** The driver's reply that makes a context, whose doorbells are at {@code doorbells}; {@code reply} may be one of an older kernel. */
    public void describe(ByteBuffer reply, long doorbells) {
        reply.put(ContextResp.KERNEL_VER, (byte) IrdmaAbi.IRDMA_ABI_VER);
        if (generation == 0) {
            return;
        }
        reply.put(ContextResp.HW_REV, (byte) generation)
                .putLong(ContextResp.FEATURE_FLAGS, features())
                .putLong(ContextResp.DB_MMAP_KEY, doorbells)
                .putInt(ContextResp.MAX_HW_WQ_FRAGS, pieces())
                .putInt(ContextResp.MAX_HW_READ_SGES, readPieces())
                .putInt(ContextResp.MAX_HW_INLINE, inline())
                .putInt(ContextResp.MAX_HW_RQ_QUANTA, MOST_QUANTA)
                .putInt(ContextResp.MAX_HW_WQ_QUANTA, MOST_QUANTA)
                .putInt(ContextResp.MIN_HW_CQ_SIZE, 1)
                .putInt(ContextResp.MAX_HW_CQ_SIZE, 1_048_575)
                .putShort(ContextResp.MAX_HW_SQ_CHUNK, (short) chunk());
        if (isNewer() && reply.capacity() >= IrdmaProvider.CONTEXT_REPLY) {
            reply.putLong(ContextResp.COMP_MASK, SAID_BY_NEWER_KERNELS)
                    .putShort(Newer.MIN_HW_WQ_SIZE, (short) fewest)
                    .putInt(Newer.MAX_HW_SRQ_QUANTA, isThird() ? MOST_SHARED_QUANTA : 0);
        }
    }

    private long features() {
        return isThird() ? FEATURES_OF_GENERATION_3 : !hasNewFormat() ? 0 : isIwarp() ? AFTER_RTS : RESIZE;
    }

    /** The most pieces of a read. */
    public int readPieces() {
        return hasNewFormat() ? pieces() : 1;
    }

    /** A send has two to the power of this number of quanta. */
    public int sendShift(QpCap cap) {
        int inline = cap.maxInline();
        if (!hasNewFormat()) {
            return cap.maxSendSge() <= 1 && inline <= 16 ? 0 : 1;
        }
        return Math.max(shift(cap.maxSendSge() + 1), inline <= 8 ? 0 : inline <= 39 ? 1 : inline <= 101 ? 2 : 3);
    }

    /** A receive has two to the power of this number of quanta. */
    public int receiveShift(QpCap cap) {
        return hasNewFormat() ? shift(cap.maxReceiveSge()) : 2;
    }

    /** A request of so many pieces has two to the power of this number of quanta. */
    public static int shift(int pieces) {
        return pieces <= 1 ? 0 : pieces < 4 ? 1 : pieces < 8 ? 2 : 3;
    }

    /** The elements of a send ring, which the process asks older kernels for. */
    public int sends(QpCap cap) {
        return isNewer() ? elements(cap.maxSendWr(), sendShift(cap), SEND_RESERVE) : cap.maxSendWr();
    }

    /** The elements of a receive ring. */
    public int receives(QpCap cap) {
        return isNewer() ? elements(cap.maxReceiveWr(), receiveShift(cap), RECEIVE_RESERVE) : cap.maxReceiveWr();
    }

    private int elements(int requests, int shift, int reserve) {
        int quanta = (requests << shift) + reserve;
        return Math.max(fewest, Integer.highestOneBit(2 * quanta - 1) >> shift);
    }

    /** The elements of a shared receive ring. */
    public int shared(int receives, int pieces) {
        return elements(receives, shift(pieces), RECEIVE_RESERVE);
    }

    @Override
    public Libraries libraries() throws IOException, InterruptedException {
        return isNewer() ? Libraries.ofRdmaCore65("irdma") : Libraries.INSTALLED;
    }

    /** Debian 12 and 13 have no library that knows generation 3. */
    @Override
    public boolean hasMovingLibraries() {
        return isNewer();
    }

    @Override
    public PlayedDriver open() {
        return new PlayedIrdma(this);
    }

    @Override
    public RandomVerbs verbs() {
        return new IrdmaVerbs(this);
    }
}
