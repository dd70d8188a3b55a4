// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.nio;

import io.github.rdma4j.nio.RdmaSelectorProvider;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;

/**
 * A provider, and the address where its channels meet.
 *
 * @param name of the transport
 * @param elsewhere begins a command that runs on another machine; empty if there is none
 */
public record Transport(String name, SelectorProvider provider, InetAddress host, List<String> elsewhere) {
    private static final String RULES = "io.github.rdma4j.nio.rules";
    private static final String RDMA = "RDMA";

    /** The JDK's own channels. */
    public static Transport tcp(InetAddress host, List<String> elsewhere) {
        return new Transport("TCP", SelectorProvider.provider(), host, elsewhere);
    }

    /** Channels over RDMA, and never over TCP. */
    public static Transport rdma(InetAddress host, List<String> elsewhere) {
        System.setProperty(RULES, "rdma *; fallback none");
        try {
            return new Transport(RDMA, new RdmaSelectorProvider(), host, elsewhere);
        } finally {
            System.clearProperty(RULES);
        }
    }

    /** The transport of that name. */
    static Transport of(String name, InetAddress host) {
        return name.equals(RDMA) ? rdma(host, List.of()) : tcp(host, List.of());
    }

    /** Fails if the channel goes another way. */
    void check(SocketChannel channel) {
        if (channel.toString().contains("over RDMA") != name.equals(RDMA)) {
            throw new AssertionError(channel + " does not go over " + name);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
