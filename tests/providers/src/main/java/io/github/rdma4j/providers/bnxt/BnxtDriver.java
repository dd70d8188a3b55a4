// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.providers.script.Libraries;
import io.github.rdma4j.providers.script.Mode;
import java.io.IOException;
import java.util.List;

/** The driver of Broadcom's NetXtreme-E. The library of Debian 12 has other requests, so a later one is downloaded. */
public final class BnxtDriver implements Driver {
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

    private static final Identity BCM57508 =
            new Identity("bnxt_re0", "1: CA", "pci:v000014E4d00001750sv000014E4sd00000002bc02sc00i00", 1);

    /** The driver. */
    public BnxtDriver() {}

    @Override
    public String name() {
        return "bnxt_re";
    }

    @Override
    public List<Mode> modes() {
        return List.of(P4, P5, P7_FIXED, P7);
    }

    @Override
    public Identity identity() {
        return BCM57508;
    }

    @Override
    public List<String> helpers() {
        return List.of("watch.c", "watch.h");
    }

    @Override
    public List<String> peerSources() {
        return List.of("peer_pages.c", "watch.c", "watch.h");
    }

    @Override
    public Libraries libraries() throws IOException, InterruptedException {
        return Libraries.ofRdmaCore56("bnxt_re");
    }
}
