// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

/** The Netty that the program runs with. */
final class NettyVersion {
    /** True for Netty 4.2, false for Netty 4.1. */
    static final boolean HAS_HANDLERS = hasHandlers();

    private NettyVersion() {}

    private static boolean hasHandlers() {
        try {
            Class.forName("io.netty.channel.IoHandler", false, NettyVersion.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException old) {
            return false;
        }
    }
}
