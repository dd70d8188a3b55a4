// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx5;

import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.providers.script.Mode;
import io.github.rdma4j.providers.script.PlayedDriver;
import io.github.rdma4j.providers.script.RandomVerbs;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.util.List;

/**
 * A ConnectX.
 *
 * @param name what the file of its vectors is called
 * @param link the link layer of the port
 * @param cqeVersion what completions carry: 0 the queue pair number, 1 the user index
 */
public record Mlx5Mode(String name, LinkLayer link, int cqeVersion) implements Mode {
    /** RoCE, with the user index in completions. */
    public static final Mlx5Mode ROCE = new Mlx5Mode("roce", LinkLayer.ETHERNET, 1);

    /** InfiniBand, with the user index in completions. */
    public static final Mlx5Mode INFINIBAND = new Mlx5Mode("infiniband", LinkLayer.INFINIBAND, 1);

    /** RoCE, with the queue pair number in completions. */
    public static final Mlx5Mode CQE0 = new Mlx5Mode("cqe0", LinkLayer.ETHERNET, 0);

    /** The driver of ConnectX and BlueField. */
    public static final Driver DRIVER = new Driver(
            "mlx5",
            new Driver.Identity("mlx5_0", "1: CA", "pci:v000015B3d00001017sv000015B3sd00000006bc02sc00i00", 1),
            ROCE,
            INFINIBAND,
            CQE0);

    @Override
    public Driver driver() {
        return DRIVER;
    }

    @Override
    public List<String> arguments() {
        return List.of(link == LinkLayer.ETHERNET ? "roce" : "infiniband", Integer.toString(cqeVersion));
    }

    @Override
    public PlayedDriver open() {
        return new PlayedMlx5(this);
    }

    @Override
    public RandomVerbs verbs() {
        return new Mlx5Verbs(link == LinkLayer.INFINIBAND);
    }
}
