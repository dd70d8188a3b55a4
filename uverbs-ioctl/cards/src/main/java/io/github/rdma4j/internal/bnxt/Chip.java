// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi.ContextResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.Newer;
import io.github.rdma4j.kernel.MalformedReplyException;
import java.nio.ByteBuffer;

/**
 * The properties of the device, as reported by the kernel.
 *
 * @param generation 4, 5 or 7
 * @param variable true if an element has as many slots as it needs; otherwise all elements have the same size
 * @param exact true if rings have any number of elements; otherwise a power of two
 * @param table true if the packet numbers are in a table with an entry for each message; otherwise each element has an
 *     entry
 * @param completions the entries of the largest completion queue, minus one
 */
record Chip(int generation, boolean variable, boolean exact, boolean table, int completions) {
    private static final int NUMBER_MASK = 0xffff;

    /** The largest completion queue: a ring of 1 GiB, because each entry has 32 bytes. */
    private static final int MOST_COMPLETIONS = 1 << 25;

    /** Reads the driver's part of the reply to GET_CONTEXT. */
    static Chip of(ByteBuffer reply) throws MalformedReplyException {
        require(reply, ContextResp.CQE_SZ, "cqe_sz", Elements.Entry.BYTES, Elements.Entry.BYTES);
        require(reply, ContextResp.MAX_CQD, "max_cqd", 1, Integer.MAX_VALUE);
        long flags = reply.getLong(ContextResp.COMP_MASK);
        boolean known = (flags & BnxtAbi.BNXT_RE_UCNTX_CMASK_HAVE_CCTX) != 0;
        int mode = (flags & BnxtAbi.BNXT_RE_UCNTX_CMASK_HAVE_MODE) == 0 ? 0 : reply.getInt(ContextResp.MODE);
        return new Chip(
                known ? generation(reply.getInt(ContextResp.CHIP_ID0) & NUMBER_MASK) : 4,
                (mode & BnxtAbi.BNXT_QPLIB_WQE_MODE_VARIABLE) != 0,
                (flags & Newer.BNXT_RE_UCNTX_CMASK_POW2_DISABLED) != 0,
                (flags & Newer.BNXT_RE_UCNTX_CMASK_MSN_TABLE_ENABLED) != 0,
                Math.min(reply.getInt(ContextResp.MAX_CQD), MOST_COMPLETIONS));
    }

    private static void require(ByteBuffer reply, int at, String name, int least, int most)
            throws MalformedReplyException {
        int number = reply.getInt(at);
        if (number < least || number > most) {
            throw new MalformedReplyException("bnxt_re_uctx_resp, " + name + " " + number, at, ContextResp.BYTES);
        }
    }

    private static int generation(int number) {
        return switch (number) {
            case 0x1750, 0x1751, 0x1752 -> 5;
            case 0x1760, 0xd818 -> 7;
            default -> 4;
        };
    }

    /** The size of a packet number entry. */
    int packetBytes() {
        return !table && generation > 4 ? 16 : 8;
    }
}
