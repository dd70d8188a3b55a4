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
    @Override
    public Driver driver() {
        return new Mlx4Driver();
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

    @Override
    public String toString() {
        return name;
    }
}
