// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import io.github.rdma4j.internal.nio.PlainPairScenarios;
import io.github.rdma4j.internal.nio.Rules;
import io.github.rdma4j.internal.nio.StreamProvider;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.nio.RdmaSelectorProvider;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;

/** A provider, and an address, with which channels go over RDMA and never over TCP. */
public final class OverRdma {
    public static final SelectorProvider PROVIDER = provider("fallback none");
    static final InetAddress HOST = host();
    static final PlainPairScenarios.Kind SOCKETS =
            PlainPairScenarios.Kind.of(new StreamProvider(Rules.parse("a test", "fallback none"), null));

    private OverRdma() {}

    /** A provider with these rules. */
    static SelectorProvider provider(String rules) {
        if (rules.isEmpty()) {
            return new RdmaSelectorProvider();
        }
        String name = "io.github.rdma4j.nio.rules";
        System.setProperty(name, rules);
        try {
            return new RdmaSelectorProvider();
        } finally {
            System.clearProperty(name);
        }
    }

    /** Whether a channel that is connected goes over RDMA. */
    static boolean isUsedBy(SocketChannel channel) {
        return channel.toString().endsWith(" over RDMA]");
    }

    private static InetAddress host() {
        try {
            return InetAddress.getByName(Rxe.IPV4);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
