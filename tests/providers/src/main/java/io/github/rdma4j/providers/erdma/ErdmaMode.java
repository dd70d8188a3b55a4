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
    /** Each queue pair rings in a place of its own. */
    public static final ErdmaMode SHARED = new ErdmaMode("shared", 2, 0);

    /** All queue pairs of a context ring in the same place. */
    public static final ErdmaMode ENTRY = new ErdmaMode("entry", 1, 5);

    /** The driver of Alibaba Cloud's elastic RDMA adapter. */
    public static final Driver DRIVER = new Driver(
            "erdma",
            new Driver.Identity("erdma_0", "4: RNIC", "pci:v00001DEDd0000107Fsv00001DEDsd0000107Fbc02sc00i00", 1),
            SHARED,
            ENTRY);

    @Override
    public Driver driver() {
        return DRIVER;
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
}
