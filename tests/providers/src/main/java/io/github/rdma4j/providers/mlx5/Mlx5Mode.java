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
    @Override
    public Driver driver() {
        return new Mlx5Driver();
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

    @Override
    public String toString() {
        return name;
    }
}
