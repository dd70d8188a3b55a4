// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx4;

import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.providers.script.Mode;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.util.List;

/** The driver of ConnectX-3. */
public final class Mlx4Driver implements Driver {
    /** RoCE, with completions of 64 bytes. */
    public static final Mlx4Mode ROCE = new Mlx4Mode("roce", LinkLayer.ETHERNET, 64);

    /** InfiniBand, with completions of 64 bytes. */
    public static final Mlx4Mode INFINIBAND = new Mlx4Mode("infiniband", LinkLayer.INFINIBAND, 64);

    /** RoCE, with completions of 32 bytes. */
    public static final Mlx4Mode CQE32 = new Mlx4Mode("cqe32", LinkLayer.ETHERNET, 32);

    private static final Identity CONNECTX_3 =
            new Identity("mlx4_0", "1: CA", "pci:v000015B3d00001003sv000015B3sd00000006bc02sc00i00", 4);

    /** The driver. */
    public Mlx4Driver() {}

    @Override
    public String name() {
        return "mlx4";
    }

    @Override
    public List<Mode> modes() {
        return List.of(ROCE, INFINIBAND, CQE32);
    }

    @Override
    public Identity identity() {
        return CONNECTX_3;
    }
}
