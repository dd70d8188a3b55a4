// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.IrdmaAbi.ContextResp;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import java.nio.ByteBuffer;

/**
 * What the kernel says of the device.
 *
 * @param firstGeneration true for X722, whose elements have another form
 * @param legacy true for i40iw, the driver of X722 before irdma
 * @param doorbells where to map the doorbells
 * @param features {@link #SENDS_AFTER_RTS}, {@link #RESIZES}
 * @param pieces the most pieces of a send or a receive
 * @param readPieces the most pieces of an RDMA read
 * @param inline the most bytes of inline data
 * @param sendQuanta the most quanta of a send ring
 * @param receiveQuanta the most quanta of a receive ring
 * @param completions the most quanta of a completion ring
 * @param chunk the quanta that an element must not cross a multiple of
 */
record Attributes(
        boolean firstGeneration,
        boolean legacy,
        long doorbells,
        long features,
        int pieces,
        int readPieces,
        int inline,
        int sendQuanta,
        int receiveQuanta,
        int completions,
        int chunk) {
    /** Over iWARP the kernel sends three elements of its own and not one. */
    static final long SENDS_AFTER_RTS = 1;

    /** Completion queues can be resized. */
    static final long RESIZES = 2;

    private static final int NEWEST_GENERATION = 2;
    private static final int LARGEST_CHUNK = 8;
    private static final int LARGEST_RING = 1 << 15;
    private static final int LARGEST_COMPLETION_RING = 1 << 22;

    /** What rdma-core knows of X722 with the driver i40iw, which does not say. */
    private static final Attributes I40IW = new Attributes(true, true, 0, 0, 3, 1, 48, 2048, 16384, 1_048_575, 2);

    /** Reads the driver's part of the reply that made a context. */
    static Attributes of(ByteBuffer reply) throws RdmaException {
        int generation = reply.get(ContextResp.HW_REV);
        if (generation == 0) {
            return I40IW;
        }
        if (generation < 0 || generation > NEWEST_GENERATION) {
            throw new UnsupportedByKernelException("the device is of generation " + generation
                    + ", which the provider of irdma does not know; it knows generations 1 (X722) and 2 (E810, E82x)");
        }
        int chunk = Short.toUnsignedInt(reply.getShort(ContextResp.MAX_HW_SQ_CHUNK));
        boolean isPower = chunk > 1 && chunk <= LARGEST_CHUNK && Integer.bitCount(chunk) == 1;
        require(isPower, "max_hw_sq_chunk", chunk, ContextResp.MAX_HW_SQ_CHUNK);
        boolean first = generation == 1;
        // Over RoCE immediate data stands in the place of a piece.
        int pieces = 2 * chunk - (first ? 1 : 2);
        return new Attributes(
                first,
                false,
                reply.getLong(ContextResp.DB_MMAP_KEY),
                reply.getLong(ContextResp.FEATURE_FLAGS),
                read(reply, ContextResp.MAX_HW_WQ_FRAGS, "max_hw_wq_frags", pieces),
                read(reply, ContextResp.MAX_HW_READ_SGES, "max_hw_read_sges", pieces),
                read(reply, ContextResp.MAX_HW_INLINE, "max_hw_inline", Sizes.mostInline(first, chunk)),
                read(reply, ContextResp.MAX_HW_WQ_QUANTA, "max_hw_wq_quanta", LARGEST_RING),
                read(reply, ContextResp.MAX_HW_RQ_QUANTA, "max_hw_rq_quanta", LARGEST_RING),
                read(reply, ContextResp.MAX_HW_CQ_SIZE, "max_hw_cq_size", LARGEST_COMPLETION_RING),
                chunk);
    }

    /** A limit of the device, or {@code most}, to which the format of the rings limits it. */
    private static int read(ByteBuffer reply, int at, String name, int most) throws MalformedReplyException {
        int limit = reply.getInt(at);
        require(limit > 0, name, limit, at);
        return Math.min(limit, most);
    }

    private static void require(boolean fits, String name, int number, int at) throws MalformedReplyException {
        if (!fits) {
            throw new MalformedReplyException(
                    "irdma_alloc_ucontext_resp, " + name + " " + number, at, IrdmaAbi.CONTEXT_REPLY);
        }
    }

    boolean has(long feature) {
        return (features & feature) != 0;
    }
}
