// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.flight.Flight;
import io.github.rdma4j.internal.rsocket.ConnectClock;
import io.github.rdma4j.internal.rsocket.connections.Member;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Which way each connection goes: by the rules, and by what happened before. Counts the connections, records them, and logs what a user
 * may not expect. Safe for use by several threads.
 */
final class Routes {
    /** A channel that is closed after its peer was silent for so long has found a silent peer; before, it has found nothing. */
    private static final Duration LEAST_SILENCE = Duration.ofMillis(500);

    /** How long a port goes over TCP at once that was refused over RDMA: to ask again costs a round trip. */
    private static final Duration MEMORY_OF_REFUSAL = Duration.ofSeconds(10);

    /** A silent address goes over TCP at once for so many times what a connection has waited for it. */
    private static final int SILENCE_FACTOR = 12;

    private static final Path NODE = Path.of("/dev/infiniband/rdma_cm");
    private static final int MOST_REMEMBERED = 4096;

    private static final System.Logger LOG = System.getLogger("io.github.rdma4j.nio");
    private static final int MOST_TOLD = 4096;

    private final Rules rules;
    private final Path node;
    private final LongAdder connectedOverRdma = new LongAdder();
    private final LongAdder connectedOverTcp = new LongAdder();
    private final LongAdder acceptedOverRdma = new LongAdder();
    private final LongAdder acceptedOverTcp = new LongAdder();

    /** What was logged. */
    private final Set<Object> told = ConcurrentHashMap.newKeySet();

    /** Which addresses go over TCP, and which ports of addresses. */
    private final Map<Object, Memory> overTcp = new ConcurrentHashMap<>();

    /** Until when, by System.nanoTime(), something goes over TCP, and why. */
    private record Memory(long until, String reason) {}

    /** What was told of an address that is asked again each time. */
    private record OfKind(InetAddress address, String kind) {}

    Routes(Rules rules) {
        this(rules, NODE);
    }

    /** {@code node} is there if the kernel has a connection manager. */
    Routes(Rules rules, Path node) {
        this.rules = rules;
        this.node = node;
    }

    /**
     * A way to a peer.
     *
     * @param rdma the address for RDMA; null for TCP only
     * @param source the local address for RDMA; null if the kernel selects it
     * @param fallback whether TCP comes next
     * @param reason why the way is this
     */
    record Route(
            @Nullable InetSocketAddress rdma, @Nullable InetSocketAddress source, boolean fallback, String reason) {}

    private static Route tcp(String reason) {
        return new Route(null, null, true, reason);
    }

    /** How long a connection that may go over TCP waits for an answer over RDMA. */
    Duration patience() {
        return rules.patience();
    }

    /** How to connect to {@code remote} from {@code local}, which is null if the link is not bound. */
    Route to(InetSocketAddress remote, @Nullable InetSocketAddress local) {
        InetSocketAddress target = target(remote);
        if (target == null) {
            return tcp("a loopback address");
        }
        if (!canLeave(local, target)) {
            return tcp("the channel is bound to an address of another kind");
        }
        Rules.Way way = rules.way(target.getAddress(), target.getPort());
        if (way == Rules.Way.TCP) {
            return tcp("a rule");
        }
        boolean fallback = way == Rules.Way.BOTH && rules.fallback();
        if (fallback && !hasRdma()) {
            return tcp("this machine has no RDMA");
        }
        String remembered = fallback ? remembered(target) : null;
        return remembered != null ? tcp(remembered) : new Route(target, source(local, target), fallback, "");
    }

    private boolean hasRdma() {
        boolean has = Files.exists(node);
        if (!has) {
            tell(node, "all connections go over TCP: there is no " + node + "; load the kernel's module rdma_ucm");
        }
        return has;
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
        if (way == Rules.Way.TCP) {
            return tcp(target == null ? "a loopback address" : "a rule");
        }
        if (way == Rules.Way.BOTH && !hasRdma()) {
            return tcp("this machine has no RDMA");
        }
        return new Route(target, null, way == Rules.Way.BOTH, "");
    }

    /** Why {@code target} goes over TCP at once; null if it does not. */
    private @Nullable String remembered(InetSocketAddress target) {
        if (overTcp.isEmpty()) {
            return null;
        }
        String port = fresh(target);
        return port != null ? port : fresh(target.getAddress());
    }

    private @Nullable String fresh(Object key) {
        Memory memory = overTcp.get(key);
        if (memory == null) {
            return null;
        }
        if (memory.until - System.nanoTime() > 0) {
            return memory.reason;
        }
        overTcp.remove(key, memory);
        return null;
    }

    /** What was refused over RDMA goes over TCP: remembers for how long, and tells of it. */
    void fellBack(InetSocketAddress target, Refusal refusal) {
        Object key = refusal.remembered(target);
        if (key == null) {
            tell(new OfKind(target.getAddress(), refusal.kind()), target, refusal, "", " (said once for this address)");
            return;
        }
        if (overTcp.size() >= MOST_REMEMBERED) {
            overTcp.clear();
        }
        Duration time = refusal.scope() == Refusal.Scope.PORT
                ? MEMORY_OF_REFUSAL
                : rules.patience().multipliedBy(SILENCE_FACTOR);
        overTcp.put(key, new Memory(System.nanoTime() + time.toNanos(), refusal.reason()));
        tell(key, target, refusal, " for " + Refusal.text(time), "");
    }

    private void tell(Object key, InetSocketAddress target, Refusal refusal, String time, String note) {
        tell(
                key,
                Member.text(target) + " goes over TCP" + time + ": " + refusal.reason()
                        + "; the rule 'fallback none' forbids this" + note);
    }

    /** A channel was closed whose peer had owed an answer for {@code silence}: the next need not wait for it. */
    void gaveUp(InetSocketAddress target, Duration silence) {
        if (silence.compareTo(LEAST_SILENCE) >= 0) {
            fellBack(target, Refusal.late(ConnectClock.Wait.ANSWER, silence));
        }
    }

    /** A peer whose silence may be remembered has answered over RDMA after all; {@code refusal} is null if it has accepted. */
    void answeredOverRdma(InetSocketAddress target, @Nullable Refusal refusal) {
        overTcp.remove(target.getAddress());
        if (refusal != null) {
            fellBack(target, refusal);
        }
    }

    // What is counted, recorded, and logged.

    /** A connection to {@code peer} is to go this way. */
    void connects(InetSocketAddress peer, boolean rdma, String reason) {
        record("connect", peer, rdma, reason);
    }

    /** A connection is made. */
    void connected(boolean rdma) {
        (rdma ? connectedOverRdma : connectedOverTcp).increment();
    }

    /** A connection from {@code peer} has come this way. */
    void accepts(InetSocketAddress peer, boolean rdma) {
        (rdma ? acceptedOverRdma : acceptedOverTcp).increment();
        record("accept", peer, rdma, "the peer has chosen");
    }

    /** A listener has got its port: over RDMA, or over TCP alone. */
    void listens(InetSocketAddress local, boolean rdma, String reason) {
        record("listen", local, rdma, reason);
    }

    private static void record(String side, InetSocketAddress peer, boolean rdma, String reason) {
        if (Flight.recordsRoutes()) {
            Flight.route(new Flight.RouteFacts(side, Member.text(peer), rdma ? "RDMA" : "TCP", reason));
        }
    }

    /** Logs {@code words}, unless something with the same key was logged before. */
    void tell(Object key, String words) {
        if (told.size() < MOST_TOLD && told.add(key)) {
            LOG.log(System.Logger.Level.INFO, words);
        }
    }

    @Override
    public String toString() {
        return rules + ", connected " + connectedOverRdma + " over RDMA and " + connectedOverTcp
                + " over TCP, accepted " + acceptedOverRdma + " over RDMA and " + acceptedOverTcp + " over TCP";
    }
}
