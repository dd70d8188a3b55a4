// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi;
import io.github.rdma4j.internal.bnxt.BnxtAbi.ContextResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.Newer;
import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.providers.script.Libraries;
import io.github.rdma4j.providers.script.Mode;
import io.github.rdma4j.providers.script.PlayedDriver;
import io.github.rdma4j.providers.script.RandomVerbs;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A device of Broadcom's.
 *
 * @param name what the file of its vectors is called
 * @param chip the number of the chip
 * @param completions entries of the largest completion queue, less one
 * @param watched whether every doorbell is recorded
 */
public record BnxtMode(String name, int chip, int completions, boolean watched) implements Mode {
    /** BCM57414: rings of powers of two, and few completions. */
    public static final BnxtMode P4 = new BnxtMode("p4", 0x16d7, 511, true);

    /** BCM57508: rings of any size, and longer entries with the numbers of packets. */
    public static final BnxtMode P5 = new BnxtMode("p5", 0x1750, 65_535, true);

    /** BCM57608 with a kernel that gives all elements the same length. */
    public static final BnxtMode P7_FIXED = new BnxtMode("p7_fixed", 0x1760, 65_535, true);

    /** BCM57608. */
    public static final BnxtMode P7 = new BnxtMode("p7", 0x1760, 65_535, true);

    /** BCM57608, whose doorbells nobody records: measurements are of the library alone. */
    public static final BnxtMode UNWATCHED = new BnxtMode("p7", 0x1760, 65_535, false);

    /** The driver of Broadcom's NetXtreme-E. The library of Debian 12 has other requests, so a later one is downloaded. */
    public static final Driver DRIVER = new Driver(
            "bnxt_re",
            new Driver.Identity("bnxt_re0", "1: CA", "pci:v000014E4d00001750sv000014E4sd00000002bc02sc00i00", 1),
            List.of(P4, P5, P7_FIXED, P7),
            List.of("watch.c", "watch.h"),
            List.of("peer_pages.c", "watch.c", "watch.h"),
            () -> Libraries.ofRdmaCore56("bnxt_re"));

    private static final int P5_CHIP = 0x1750;
    private static final int P7_CHIP = 0x1760;

    @Override
    public Driver driver() {
        return DRIVER;
    }

    @Override
    public List<String> arguments() {
        return watched ? List.of(name) : List.of(name, "unwatched");
    }

    /** Whether elements have different lengths. */
    public boolean isVariable() {
        return name.equals("p7");
    }

    /** Whether rings have any size. */
    public boolean isExact() {
        return isVariable() || chip == P5_CHIP;
    }

    /** Whether there is a table of packets, and pages of toggles. */
    public boolean isP7() {
        return chip == P7_CHIP;
    }

    /** The bytes of an entry with the numbers of packets. */
    public int packetBytes() {
        return chip == P5_CHIP ? 16 : 8;
    }

    /** The most pieces of a request. */
    public int pieces() {
        return isVariable() ? 13 : 6;
    }

    /** The driver's reply that makes a context, but for the most queue pairs. */
    public ByteBuffer describe(ByteBuffer reply, int mostCompletions, int chipId) {
        long flags = BnxtAbi.BNXT_RE_UCNTX_CMASK_HAVE_CCTX
                | BnxtAbi.BNXT_RE_UCNTX_CMASK_HAVE_MODE
                | (isExact() ? Newer.BNXT_RE_UCNTX_CMASK_POW2_DISABLED : 0)
                | (isP7() ? Newer.BNXT_RE_UCNTX_CMASK_MSN_TABLE_ENABLED : 0);
        return reply.putInt(ContextResp.PG_SIZE, 4096)
                .putInt(ContextResp.CQE_SZ, Entry.BYTES)
                .putInt(ContextResp.MAX_CQD, mostCompletions)
                .putLong(ContextResp.COMP_MASK, flags)
                .putInt(ContextResp.CHIP_ID0, chipId)
                .putInt(ContextResp.MODE, isVariable() ? BnxtAbi.BNXT_QPLIB_WQE_MODE_VARIABLE : 0);
    }

    /** The elements of a ring that needs {@code least}. */
    public int depth(int least) {
        return isExact() ? least : powerOfTwo(least);
    }

    /** {@code number} rounded up to a power of two. */
    public static int powerOfTwo(int number) {
        return number <= 1 ? 1 : Integer.highestOneBit(number - 1) << 1;
    }

    @Override
    public PlayedDriver open() {
        return new PlayedBnxt(this);
    }

    @Override
    public RandomVerbs verbs() {
        return new BnxtVerbs(this);
    }
}
