// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import java.io.IOException;
import java.util.List;

/** What a device of a driver and its kernel are like. */
public interface Mode {
    /** The driver. */
    Driver driver();

    /** What the mode is called. */
    String name();

    /** The arguments of the program in C. */
    List<String> arguments();

    /** The libraries of the library's side. */
    default Libraries libraries() throws IOException, InterruptedException {
        return driver().libraries();
    }

    /**
     * Whether the libraries change from day to day, since no release of Debian has them yet: ordinary runs of the tests
     * compare the provider with what the library wrote once.
     */
    default boolean hasMovingLibraries() {
        return false;
    }

    /** A new device, with its kernel, for one player. */
    PlayedDriver open();

    /** What random scripts may do, and how the device completes it. */
    RandomVerbs verbs();
}
