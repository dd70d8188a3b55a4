// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.erdma;

import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.providers.script.Mode;
import java.util.List;

/** The driver of Alibaba Cloud's elastic RDMA adapter. */
public final class ErdmaDriver implements Driver {
    /** Each queue pair rings in a place of its own. */
    public static final ErdmaMode SHARED = new ErdmaMode("shared", 2, 0);

    /** All queue pairs of a context ring in the same place. */
    public static final ErdmaMode ENTRY = new ErdmaMode("entry", 1, 5);

    private static final Identity ERDMA =
            new Identity("erdma_0", "4: RNIC", "pci:v00001DEDd0000107Fsv00001DEDsd0000107Fbc02sc00i00", 1);

    /** The driver. */
    public ErdmaDriver() {}

    @Override
    public String name() {
        return "erdma";
    }

    @Override
    public List<Mode> modes() {
        return List.of(SHARED, ENTRY);
    }

    @Override
    public Identity identity() {
        return ERDMA;
    }
}
