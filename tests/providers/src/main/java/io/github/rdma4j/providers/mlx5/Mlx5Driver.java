// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx5;

import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.providers.script.Mode;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.util.List;

/** The driver of ConnectX and BlueField. */
public final class Mlx5Driver implements Driver {
    /** RoCE, with the user index in completions. */
    public static final Mlx5Mode ROCE = new Mlx5Mode("roce", LinkLayer.ETHERNET, 1);

    /** InfiniBand, with the user index in completions. */
    public static final Mlx5Mode INFINIBAND = new Mlx5Mode("infiniband", LinkLayer.INFINIBAND, 1);

    /** RoCE, with the queue pair number in completions. */
    public static final Mlx5Mode CQE0 = new Mlx5Mode("cqe0", LinkLayer.ETHERNET, 0);

    private static final Identity CONNECTX_5 =
            new Identity("mlx5_0", "1: CA", "pci:v000015B3d00001017sv000015B3sd00000006bc02sc00i00", 1);

    /** The driver. */
    public Mlx5Driver() {}

    @Override
    public String name() {
        return "mlx5";
    }

    @Override
    public List<Mode> modes() {
        return List.of(ROCE, INFINIBAND, CQE0);
    }

    @Override
    public Identity identity() {
        return CONNECTX_5;
    }
}
