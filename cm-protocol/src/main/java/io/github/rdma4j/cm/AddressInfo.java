// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.verbs.QueuePairType;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a service, or to offer one, by name ({@code struct rdma_addrinfo}, {@code rdma_getaddrinfo(3)}).
 * Immutable; {@link BlockingCmId#createEndpoint} takes it.
 *
 * <pre>{@code
 * AddressInfo.Hints hints = AddressInfo.Hints.DEFAULT.passive();
 * AddressInfo here = AddressInfo.resolve(host, "0", hints).get(0);
 * BlockingCmId listener = BlockingCmId.createEndpoint(here, QueuePairOptions.DEFAULT, limit);
 * listener.listen(8);
 * }</pre>
 */
public final class AddressInfo {
    private final Hints hints;
    private final @Nullable SocketAddress source;
    private final @Nullable SocketAddress destination;

    private AddressInfo(Hints hints, @Nullable SocketAddress source, @Nullable SocketAddress destination) {
        this.hints = hints;
        this.source = source;
        this.destination = destination;
    }

    /**
     * Looks up a host by name or address, and a service by name (in {@code /etc/services}) or port. Blocks for as long as
     * the name service does.
     *
     * @param node host, or null for this one: the wildcard for a passive use, loopback for an active one
     * @param service service, or null for port 0
     * @return all answers in the name service's order; the first is what C gives
     * @throws UnknownHostException when the host has no address of the family that the hints want
     * @throws java.net.UnknownServiceException when there is no such service
     * @throws IllegalArgumentException when neither host nor service is given, or the hints want a numeric host and it is
     *     none
     */
    public static List<AddressInfo> resolve(@Nullable String node, @Nullable String service, Hints hints)
            throws java.io.IOException {
        if (node == null && service == null) {
            throw new IllegalArgumentException("neither a host nor a service");
        }
        int port = service == null ? 0 : ServicePorts.find(service, hints.type.isDatagram() ? "udp" : "tcp");
        List<AddressInfo> answers = new ArrayList<>();
        for (InetAddress address : addresses(node, hints)) {
            InetSocketAddress found = new InetSocketAddress(address, port);
            answers.add(
                    hints.passive ? new AddressInfo(hints, found, null) : new AddressInfo(hints, hints.source, found));
        }
        if (answers.isEmpty()) {
            throw new UnknownHostException(node + " has no address of the family " + hints.family);
        }
        return List.copyOf(answers);
    }

    private static List<InetAddress> addresses(@Nullable String node, Hints hints) throws UnknownHostException {
        if (hints.numericHost && node != null && !NumericHost.isNumeric(node)) {
            throw new IllegalArgumentException(node + " is no numeric address");
        }
        if (node != null && node.isEmpty()) {
            throw new UnknownHostException("a host without a name"); // InetAddress takes it for this one
        }
        List<InetAddress> wanted = new ArrayList<>();
        for (InetAddress address : node == null ? here(hints) : InetAddress.getAllByName(node)) {
            if (hints.family.takes(address)) {
                wanted.add(address);
            }
        }
        return wanted;
    }

    private static InetAddress[] here(Hints hints) throws UnknownHostException {
        if (!hints.passive) {
            return InetAddress.getAllByName(hints.family == Family.IPV6 ? "::1" : "127.0.0.1");
        }
        return new InetAddress[] {InetAddress.getByName(hints.family == Family.IPV6 ? "::" : "0.0.0.0")};
    }

    /** True when the address is one to listen on. */
    public boolean isPassive() {
        return hints.passive;
    }

    public PortSpace portSpace() {
        return hints.portSpace;
    }

    public QueuePairType type() {
        return hints.type;
    }

    /** The local address: of a passive use, or as the hints gave it. */
    public Optional<SocketAddress> source() {
        return Optional.ofNullable(source);
    }

    /** The peer's address, of an active use. */
    public Optional<SocketAddress> destination() {
        return Optional.ofNullable(destination);
    }

    /** Paths that the hints gave, in the place of resolving the route. */
    public List<PathRecord> paths() {
        return hints.paths;
    }

    SocketAddress requireSource() {
        return Objects.requireNonNull(source, "source");
    }

    SocketAddress requireDestination() {
        return Objects.requireNonNull(destination, "destination");
    }

    @Override
    public String toString() {
        return "AddressInfo[" + hints.portSpace + " " + (hints.passive ? "at " + source : "to " + destination) + "]";
    }

    /** Which addresses to look for. */
    public enum Family {
        /** IPv4 and IPv6. */
        ANY,
        /** IPv4 alone. */
        IPV4,
        /** IPv6 alone. */
        IPV6;

        boolean takes(InetAddress address) {
            return switch (this) {
                case ANY -> true;
                case IPV4 -> address instanceof Inet4Address;
                case IPV6 -> address instanceof Inet6Address;
            };
        }
    }

    /** What is looked for; a connection over {@link PortSpace#TCP} to a peer unless set otherwise. Immutable. */
    public static final class Hints {
        /** An active use in {@link PortSpace#TCP}. */
        public static final Hints DEFAULT =
                new Hints(false, false, Family.ANY, PortSpace.TCP, QueuePairType.RC, null, List.of());

        private final boolean passive;
        private final boolean numericHost;
        private final Family family;
        private final PortSpace portSpace;
        private final QueuePairType type;
        private final @Nullable SocketAddress source;
        private final List<PathRecord> paths;

        private Hints(
                boolean passive,
                boolean numericHost,
                Family family,
                PortSpace portSpace,
                QueuePairType type,
                @Nullable SocketAddress source,
                List<PathRecord> paths) {
            this.passive = passive;
            this.numericHost = numericHost;
            this.family = family;
            this.portSpace = portSpace;
            this.type = type;
            this.source = source;
            this.paths = paths;
        }

        /** An address to listen on ({@code RAI_PASSIVE}). */
        public Hints passive() {
            return new Hints(true, numericHost, family, portSpace, type, source, paths);
        }

        /** The host is an address, and no name service is asked ({@code RAI_NUMERICHOST}). */
        public Hints numericHost() {
            return new Hints(passive, true, family, portSpace, type, source, paths);
        }

        /** Addresses of that family alone ({@code ai_family}, {@code RAI_FAMILY}). */
        public Hints family(Family wanted) {
            return new Hints(passive, numericHost, wanted, portSpace, type, source, paths);
        }

        /** The port space ({@code ai_port_space}), and the type of queue pair that goes with it. */
        public Hints portSpace(PortSpace wanted) {
            return new Hints(passive, numericHost, family, wanted, wanted.queuePairType(), source, paths);
        }

        /** The queue pair type ({@code ai_qp_type}), in {@link PortSpace#IB}. */
        public Hints type(QueuePairType wanted) {
            portSpace.requireAllows(wanted);
            return new Hints(passive, numericHost, family, portSpace, wanted, source, paths);
        }

        /** The local address of an active use ({@code ai_src_addr}). */
        public Hints source(SocketAddress address) {
            return new Hints(passive, numericHost, family, portSpace, type, address, paths);
        }

        /** The paths to the peer ({@code ai_route}). */
        public Hints paths(List<PathRecord> known) {
            return new Hints(passive, numericHost, family, portSpace, type, source, List.copyOf(known));
        }
    }
}
