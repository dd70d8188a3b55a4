// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.IrdmaAbi.ContextResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.Newer;
import io.github.rdma4j.internal.provider.RingMath;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import java.nio.ByteBuffer;

/**
 * The properties of the device, as reported by the kernel.
 *
 * @param generation 1 (X722), 2 (E810, E82x) or 3
 * @param legacy true for i40iw, the driver of X722 before irdma
 * @param raw true if the kernel computes ring sizes from the requested capacities
 * @param doorbells the mmap offset of the doorbells
 * @param features {@link #SENDS_AFTER_RTS}, {@link #RESIZES}, {@link #WIDE_COMPLETIONS}, {@link #ATOMICS}, {@link
 *     #SHARES_RECEIVES}
 * @param pieces the maximum number of pieces of a send or a receive
 * @param readPieces the maximum number of pieces of an RDMA read
 * @param inline the maximum number of bytes of inline data
 * @param sendQuanta the maximum number of quanta of a send ring
 * @param receiveQuanta the maximum number of quanta of a receive ring
 * @param sharedQuanta the maximum number of quanta of a shared receive ring
 * @param fewestRequests the minimum number of elements of a ring
 * @param completions the maximum number of entries of a completion ring
 * @param chunk the size of a chunk in quanta, whose boundary an element must not cross
 */
record Attributes(
        int generation,
        boolean legacy,
        boolean raw,
        long doorbells,
        long features,
        int pieces,
        int readPieces,
        int inline,
        int sendQuanta,
        int receiveQuanta,
        int sharedQuanta,
        int fewestRequests,
        int completions,
        int chunk) {
    /** Over iWARP, the kernel sends three elements itself instead of one. */
    static final long SENDS_AFTER_RTS = 1;

    /** Completion queues can be resized. */
    static final long RESIZES = 2;

    /** Each completion has 64 bytes. */
    static final long WIDE_COMPLETIONS = 1 << 5;

    static final long ATOMICS = 1 << 6;

    /** The device has shared receive queues. */
    static final long SHARES_RECEIVES = 1 << 7;

    private static final int NEWEST_GENERATION = 3;
    /** The size of the reply, up to its last field. */
    static final int REPLY_BYTES = Newer.MAX_HW_SRQ_QUANTA + Integer.BYTES;

    private static final int FEWEST_REQUESTS = 8;
    private static final int MOST_FEWEST_REQUESTS = 128;
    private static final int LARGEST_SHARED_RING = 1 << 20;
    private static final int LARGEST_CHUNK = 8;
    private static final int LARGEST_RING = 1 << 15;
    private static final int LARGEST_COMPLETION_RING = 1 << 22;

    /** The properties of X722 with the driver i40iw, which does not report them; taken from rdma-core. */
    private static final Attributes I40IW =
            new Attributes(1, true, false, 0, 0, 3, 1, 48, 2048, 16384, 0, FEWEST_REQUESTS, 1_048_575, 2);

    /** Reads the driver's part of the reply to GET_CONTEXT. */
    static Attributes of(ByteBuffer reply) throws RdmaException {
        int generation = reply.get(ContextResp.HW_REV);
        if (generation == 0) {
            return I40IW;
        }
        if (generation < 0 || generation > NEWEST_GENERATION) {
            throw new UnsupportedByKernelException(
                    "the device is of generation " + generation
                            + ", which the provider of irdma does not support; it supports generations 1 (X722), 2 (E810, E82x) and 3");
        }
        int chunk = Short.toUnsignedInt(reply.getShort(ContextResp.MAX_HW_SQ_CHUNK));
        boolean isPower = chunk > 1 && chunk <= LARGEST_CHUNK && RingMath.isPowerOfTwo(chunk);
        require(isPower, "max_hw_sq_chunk", chunk, ContextResp.MAX_HW_SQ_CHUNK);
        boolean first = generation == 1;
        // over RoCE, immediate data takes the place of a piece
        int pieces = 2 * chunk - (first ? 1 : 2);
        long said = reply.getLong(ContextResp.COMP_MASK);
        return new Attributes(
                generation,
                false,
                (said & IrdmaAbi.IRDMA_ALLOC_UCTX_USE_RAW_ATTR) != 0,
                reply.getLong(ContextResp.DB_MMAP_KEY),
                reply.getLong(ContextResp.FEATURE_FLAGS),
                read(reply, ContextResp.MAX_HW_WQ_FRAGS, "max_hw_wq_frags", pieces),
                read(reply, ContextResp.MAX_HW_READ_SGES, "max_hw_read_sges", pieces),
                read(reply, ContextResp.MAX_HW_INLINE, "max_hw_inline", InlineData.most(first, chunk)),
                read(reply, ContextResp.MAX_HW_WQ_QUANTA, "max_hw_wq_quanta", LARGEST_RING),
                read(reply, ContextResp.MAX_HW_RQ_QUANTA, "max_hw_rq_quanta", LARGEST_RING),
                Math.min(Math.max(0, reply.getInt(Newer.MAX_HW_SRQ_QUANTA)), LARGEST_SHARED_RING),
                fewestRequests(reply, said),
                read(reply, ContextResp.MAX_HW_CQ_SIZE, "max_hw_cq_size", LARGEST_COMPLETION_RING),
                chunk);
    }

    private static int fewestRequests(ByteBuffer reply, long said) throws MalformedReplyException {
        if ((said & Newer.IRDMA_ALLOC_UCTX_MIN_HW_WQ_SIZE) == 0) {
            return FEWEST_REQUESTS;
        }
        int fewest = Short.toUnsignedInt(reply.getShort(Newer.MIN_HW_WQ_SIZE));
        boolean isPower = RingMath.isPowerOfTwo(fewest) && fewest <= MOST_FEWEST_REQUESTS;
        require(isPower, "min_hw_wq_size", fewest, Newer.MIN_HW_WQ_SIZE);
        return fewest;
    }

    /** A limit of the device, but at most {@code most}, the limit of the ring format. */
    private static int read(ByteBuffer reply, int at, String name, int most) throws MalformedReplyException {
        int limit = reply.getInt(at);
        require(limit > 0, name, limit, at);
        return Math.min(limit, most);
    }

    private static void require(boolean fits, String name, int number, int at) throws MalformedReplyException {
        if (!fits) {
            throw new MalformedReplyException("irdma_alloc_ucontext_resp, " + name + " " + number, at, REPLY_BYTES);
        }
    }

    boolean firstGeneration() {
        return generation == 1;
    }

    boolean has(long feature) {
        return (features & feature) != 0;
    }
}
