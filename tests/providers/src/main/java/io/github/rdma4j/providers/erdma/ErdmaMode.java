// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.erdma;

import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.providers.script.Mode;
import io.github.rdma4j.providers.script.PlayedDriver;
import io.github.rdma4j.providers.script.RandomVerbs;
import java.util.List;

/**
 * An elastic RDMA adapter.
 *
 * @param name what the file of its vectors is called
 * @param doorbellType how the doorbells of sends lie, {@code sdb_type}
 * @param doorbellOffset where they begin, {@code sdb_offset}
 */
public record ErdmaMode(String name, int doorbellType, int doorbellOffset) implements Mode {
    @Override
    public Driver driver() {
        return new ErdmaDriver();
    }

    @Override
    public List<String> arguments() {
        return List.of(name);
    }

    @Override
    public PlayedDriver open() {
        return new PlayedErdma(this);
    }

    @Override
    public RandomVerbs verbs() {
        return new ErdmaVerbs();
    }

    @Override
    public String toString() {
        return name;
    }
}
