// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.irdma;

import io.github.rdma4j.lab.providers.script.Driver;
import io.github.rdma4j.lab.providers.script.Mode;
import io.github.rdma4j.lab.providers.script.PlayedDriver;
import io.github.rdma4j.lab.providers.script.RandomVerbs;
import java.util.List;

/**
 * A device of Intel's.
 *
 * @param name what the file of its vectors is called
 * @param generation the generation of the device; 0 with the driver before irdma
 * @param kernelSends elements that the kernel sends before those of the program, over iWARP
 */
public record IrdmaMode(String name, int generation, int kernelSends) implements Mode {
    @Override
    public Driver driver() {
        return new IrdmaDriver();
    }

    @Override
    public List<String> arguments() {
        return List.of(name);
    }

    boolean isIwarp() {
        return kernelSends > 0;
    }

    /** The form of elements and completions of E810. */
    boolean hasNewFormat() {
        return generation == 2;
    }

    @Override
    public PlayedDriver open() {
        return new PlayedIrdma(this);
    }

    @Override
    public RandomVerbs verbs() {
        return new IrdmaVerbs(this);
    }

    @Override
    public String toString() {
        return name;
    }
}
