// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.irdma;

import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.providers.script.Mode;
import java.util.List;

/** The driver of Intel's RDMA devices. */
public final class IrdmaDriver implements Driver {
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

    private static final Identity E810 =
            new Identity("irdma_0", "1: CA", "pci:v00008086d00001592sv00008086sd00000002bc02sc00i00", 5);

    /** The driver. */
    public IrdmaDriver() {}

    @Override
    public String name() {
        return "irdma";
    }

    @Override
    public List<Mode> modes() {
        return List.of(ROCE, IWARP, X722, I40IW, ROCE_NEWER, GEN3);
    }

    @Override
    public Identity identity() {
        return E810;
    }
}
