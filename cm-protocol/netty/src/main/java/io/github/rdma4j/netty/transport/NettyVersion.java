// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.netty.channel.IoHandle;
import io.netty.util.Version;

/** The Netty that the program runs with. */
final class NettyVersion {
    /** The first whose handlers tell a handle that it is registered. */
    private static final String OLDEST = "4.2.7";

    private static final String ARTIFACT = "netty-transport";

    private NettyVersion() {}

    /**
     * Refuses a Netty whose event loops would fail on each channel, and leave its futures incomplete.
     *
     * @throws IllegalStateException if Netty is too old
     */
    static void check() {
        try {
            Object unused = IoHandle.class.getMethod("registered");
        } catch (NoSuchMethodException old) {
            ClassLoader loader = IoHandle.class.getClassLoader();
            Version found = Version.identify(loader).get(ARTIFACT);
            throw new IllegalStateException(
                    "channels over RDMA need Netty " + OLDEST + " or later, and this program has "
                            + (found == null ? "an older " + ARTIFACT : ARTIFACT + " " + found.artifactVersion())
                            + ": import netty-bom of a later version before other dependencies",
                    old);
        }
    }
}
