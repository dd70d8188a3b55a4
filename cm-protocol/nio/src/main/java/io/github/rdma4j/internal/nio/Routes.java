// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.cm.CmEventException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which way each connection goes: by the rules, and by what happened before. Safe for use by several threads. */
final class Routes {
    /** How long an attempt over RDMA may take that can go over TCP instead. */
    static final Duration CAP = Duration.ofMillis(500);

    /** How long an address goes over TCP at once after it has answered there, and not over RDMA. */
    private static final Duration MEMORY = Duration.ofSeconds(10);

    private static final Path NODE = Path.of("/dev/infiniband/rdma_cm");
    private static final int MOST_REMEMBERED = 4096;

    /** Why a program that speaks RDMA, and is busy or of another kind, rejects a request. */
    private static final int CONSUMER_DEFINED = 28;

    private final Rules rules;

    /** Until when, by System.nanoTime(), an address goes over TCP, or a port of it. */
    private final Map<Object, Long> overTcp = new ConcurrentHashMap<>();

    Routes(Rules rules) {
        this.rules = rules;
    }

    /**
     * A way to a peer.
     *
     * @param rdma the address for RDMA; null for TCP only
     * @param source the local address for RDMA; null if the kernel selects it
     * @param fallback whether TCP comes next
     */
    record Route(@Nullable InetSocketAddress rdma, @Nullable InetSocketAddress source, boolean fallback) {}

    private static final Route TCP = new Route(null, null, true);

    /** How to connect to {@code remote} from {@code local}, which is null if the link is not bound. */
    Route to(InetSocketAddress remote, @Nullable InetSocketAddress local) {
        InetSocketAddress target = target(remote);
        if (target == null || !canLeave(local, target)) {
            return TCP;
        }
        Rules.Way way = rules.way(target.getAddress(), target.getPort());
        boolean fallback = way == Rules.Way.BOTH && rules.fallback();
        if (way == Rules.Way.TCP || (fallback && (!Files.exists(NODE) || isRemembered(target)))) {
            return TCP;
        }
        return new Route(target, source(local, target), fallback);
    }

    /** A socket of IPv6 that is bound to every address may leave from one of IPv4. */
    private static @Nullable InetSocketAddress source(@Nullable InetSocketAddress local, InetSocketAddress target) {
        return local == null || !local.getAddress().isAnyLocalAddress()
                ? local
                : SocketAddresses.any(isSix(target), local.getPort());
    }

    /** {@code address} for RDMA, or null if it cannot go over RDMA. */
    private @Nullable InetSocketAddress target(InetSocketAddress address) {
        if (!address.getAddress().isLoopbackAddress()) {
            return address;
        }
        InetAddress device = rules.loopback();
        return device == null ? null : new InetSocketAddress(device, address.getPort());
    }

    private static boolean canLeave(@Nullable InetSocketAddress local, InetSocketAddress target) {
        return local == null
                || local.getAddress().isAnyLocalAddress()
                || (!local.getAddress().isLoopbackAddress() && isSix(local) == isSix(target));
    }

    private static boolean isSix(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address;
    }

    /** Where to listen over RDMA beside {@code local}, and whether over TCP too. */
    Route at(InetSocketAddress local) {
        InetSocketAddress target = target(local);
        Rules.Way way = target == null ? Rules.Way.TCP : rules.way(target.getAddress(), target.getPort());
        if (way == Rules.Way.TCP || (way == Rules.Way.BOTH && !Files.exists(NODE))) {
            return TCP;
        }
        return new Route(target, null, way == Rules.Way.BOTH);
    }

    private boolean isRemembered(InetSocketAddress target) {
        return !overTcp.isEmpty() && (isFresh(target) || isFresh(target.getAddress()));
    }

    private boolean isFresh(Object key) {
        Long until = overTcp.get(key);
        if (until == null) {
            return false;
        }
        boolean fresh = until - System.nanoTime() > 0;
        if (!fresh) {
            overTcp.remove(key, until);
        }
        return fresh;
    }

    /** A peer has answered over TCP that has not over RDMA, because of {@code why}. */
    void answeredOverTcp(InetSocketAddress target, IOException why) {
        if (why.getCause() instanceof CmEventException event && event.status() == CONSUMER_DEFINED) {
            return;
        }
        if (overTcp.size() >= MOST_REMEMBERED) {
            overTcp.clear();
        }
        boolean isPort = why instanceof ConnectException
                && String.valueOf(why.getMessage()).startsWith("Connection refused");
        overTcp.put(isPort ? target : target.getAddress(), System.nanoTime() + MEMORY.toNanos());
    }

    @Override
    public String toString() {
        return rules.toString();
    }
}
