// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx4;

import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.providers.script.Mode;
import io.github.rdma4j.providers.script.PlayedDriver;
import io.github.rdma4j.providers.script.RandomVerbs;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.util.List;

/**
 * A ConnectX-3.
 *
 * @param name what the file of its vectors is called
 * @param link the link layer of the port
 * @param entryBytes bytes of a completion queue entry, 32 or 64
 */
public record Mlx4Mode(String name, LinkLayer link, int entryBytes) implements Mode {
    /** RoCE, with completions of 64 bytes. */
    public static final Mlx4Mode ROCE = new Mlx4Mode("roce", LinkLayer.ETHERNET, 64);

    /** InfiniBand, with completions of 64 bytes. */
    public static final Mlx4Mode INFINIBAND = new Mlx4Mode("infiniband", LinkLayer.INFINIBAND, 64);

    /** RoCE, with completions of 32 bytes. */
    public static final Mlx4Mode CQE32 = new Mlx4Mode("cqe32", LinkLayer.ETHERNET, 32);

    /** The driver of ConnectX-3. */
    public static final Driver DRIVER = new Driver(
            "mlx4",
            new Driver.Identity("mlx4_0", "1: CA", "pci:v000015B3d00001003sv000015B3sd00000006bc02sc00i00", 4),
            ROCE,
            INFINIBAND,
            CQE32);

    @Override
    public Driver driver() {
        return DRIVER;
    }

    @Override
    public List<String> arguments() {
        return List.of(link == LinkLayer.ETHERNET ? "roce" : "infiniband", Integer.toString(entryBytes));
    }

    @Override
    public PlayedDriver open() {
        return new PlayedMlx4(this);
    }

    @Override
    public RandomVerbs verbs() {
        return new Mlx4Verbs(link == LinkLayer.INFINIBAND);
    }
}
