// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.PathRecord;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a service, or to offer one, by name ({@code struct rdma_addrinfo}, {@code rdma_getaddrinfo(3)}).
 * Immutable.
 *
 * <pre>{@code
 * AddressInfo.Hints hints = AddressInfo.Hints.builder().passive(true).build();
 * AddressInfo here = AddressInfo.resolve(host, "0", hints).get(0);
 * BlockingCmId listener = here.createEndpoint(QueuePairOptions.DEFAULT, limit);
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
     * @param host the name or the address of the host
     * @param service the name of the service, or a port from 0 to 65535
     * @return all answers in the name service's order; the first is what C gives
     * @throws UnknownHostException when the host has no address of the family that the hints want
     * @throws java.net.UnknownServiceException when there is no such service
     * @throws IllegalArgumentException when the hints want a numeric host and {@code host} is a name
     */
    public static List<AddressInfo> resolve(String host, String service, Hints hints) throws IOException {
        return answers(requireHost(host), port(service, hints), hints);
    }

    /** As {@link #resolve}, without a service: the port is 0. */
    public static List<AddressInfo> resolveHost(String host, Hints hints) throws IOException {
        return answers(requireHost(host), 0, hints);
    }

    private static String requireHost(String host) {
        return Objects.requireNonNull(host, "the host is null; for an address of this host call resolveService");
    }

    /** As {@link #resolve}, on this host: the wildcard address for a passive use, loopback for an active use. */
    public static List<AddressInfo> resolveService(String service, Hints hints) throws IOException {
        return answers(null, port(service, hints), hints);
    }

    private static int port(String service, Hints hints) throws IOException {
        return ServicePorts.find(service, hints.type.isDatagram() ? "udp" : "tcp");
    }

    private static List<AddressInfo> answers(@Nullable String node, int port, Hints hints) throws UnknownHostException {
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

    /**
     * Creates an id and takes it as far as the address allows ({@code rdma_create_ep(3)}): a passive id is bound, and {@link
     * BlockingCmId#getRequest} creates a queue pair by {@code qpOptions} for each connection; an active id has its address and route
     * resolved and its queue pair created.
     *
     * @param qpOptions options of the queue pairs
     * @param timeout the limit of each step
     */
    public BlockingCmId createEndpoint(QueuePairOptions qpOptions, Duration timeout)
            throws RdmaException, InterruptedException {
        return endpoint(Objects.requireNonNull(qpOptions, "qpOptions"), timeout);
    }

    /** As {@link #createEndpoint(QueuePairOptions, Duration)}, without a limit. */
    public BlockingCmId createEndpoint(QueuePairOptions qpOptions) throws RdmaException, InterruptedException {
        return createEndpoint(qpOptions, BlockingCmId.NO_LIMIT);
    }

    /** As {@link #createEndpoint(QueuePairOptions, Duration)}, without queue pairs. */
    public BlockingCmId createEndpoint(Duration timeout) throws RdmaException, InterruptedException {
        return endpoint(null, timeout);
    }

    /** As {@link #createEndpoint(Duration)}, without a limit. */
    public BlockingCmId createEndpoint() throws RdmaException, InterruptedException {
        return createEndpoint(BlockingCmId.NO_LIMIT);
    }

    private BlockingCmId endpoint(@Nullable QueuePairOptions qpOptions, Duration timeout)
            throws RdmaException, InterruptedException {
        BlockingCmId made =
                BlockingCmId.create(Kernel.running(), hints.portSpace, hints.type, hints.passive ? qpOptions : null);
        try {
            if (hints.passive) {
                made.bind(Objects.requireNonNull(source, "source"));
            } else {
                reach(made, qpOptions, timeout);
            }
            return made;
        } catch (RdmaException | RuntimeException | InterruptedException e) {
            made.close();
            throw e;
        }
    }

    private void reach(BlockingCmId id, @Nullable QueuePairOptions options, Duration timeout)
            throws RdmaException, InterruptedException {
        SocketAddress peer = Objects.requireNonNull(destination, "destination");
        if (source != null) {
            id.resolveAddress(source, peer, timeout);
        } else {
            id.resolveAddress(peer, timeout);
        }
        if (hints.paths.isEmpty()) {
            id.resolveRoute(timeout);
        } else {
            id.resolveRoute(timeout, () -> id.id().settings().paths(hints.paths));
        }
        if (options != null) {
            id.createQp(options);
        }
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
        public static final Hints DEFAULT = builder().build();

        private final boolean passive;
        private final boolean numericHost;
        private final Family family;
        private final PortSpace portSpace;
        private final QueuePairType type;
        private final @Nullable SocketAddress source;
        private final List<PathRecord> paths;

        private Hints(Builder builder) {
            passive = builder.passive;
            numericHost = builder.numericHost;
            family = builder.family;
            portSpace = builder.portSpace;
            type = builder.type;
            source = builder.source;
            paths = builder.paths;
        }

        public static Builder builder() {
            return new Builder();
        }

        /** A builder that starts with these hints. */
        public Builder toBuilder() {
            return new Builder(this);
        }

        /** Collects hints. Mutable; for one thread. */
        public static final class Builder {
            private boolean passive;
            private boolean numericHost;
            private Family family = Family.ANY;
            private PortSpace portSpace = PortSpace.TCP;
            private QueuePairType type = QueuePairType.RC;
            private @Nullable SocketAddress source;
            private List<PathRecord> paths = List.of();

            private Builder() {}

            private Builder(Hints hints) {
                passive = hints.passive;
                numericHost = hints.numericHost;
                family = hints.family;
                portSpace = hints.portSpace;
                type = hints.type;
                source = hints.source;
                paths = hints.paths;
            }

            /** Whether the address is for listening ({@code RAI_PASSIVE}); false unless set. */
            public Builder passive(boolean listens) {
                passive = listens;
                return this;
            }

            /** Whether the host is an address, and no name service is asked ({@code RAI_NUMERICHOST}); false unless set. */
            public Builder numericHost(boolean numeric) {
                numericHost = numeric;
                return this;
            }

            /** The address family ({@code ai_family}, {@code RAI_FAMILY}); {@link Family#ANY} unless set. */
            public Builder family(Family wanted) {
                family = Objects.requireNonNull(wanted, "family");
                return this;
            }

            /**
             * The port space ({@code ai_port_space}), and the type of queue pair that belongs to it; {@link PortSpace#TCP}
             * unless set.
             */
            public Builder portSpace(PortSpace wanted) {
                portSpace = Objects.requireNonNull(wanted, "portSpace");
                type = wanted.queuePairType();
                return this;
            }

            /**
             * The type of queue pair ({@code ai_qp_type}). {@link PortSpace#IB} has several; set the port space first.
             *
             * @throws IllegalArgumentException when the port space does not have the type
             */
            public Builder type(QueuePairType wanted) {
                portSpace.requireAllows(Objects.requireNonNull(wanted, "type"));
                type = wanted;
                return this;
            }

            /** The local address of an active use ({@code ai_src_addr}); chosen by the kernel unless set. */
            public Builder source(SocketAddress address) {
                source = Objects.requireNonNull(address, "address");
                return this;
            }

            /** The paths to the peer ({@code ai_route}); none unless set. */
            public Builder paths(List<PathRecord> known) {
                paths = List.copyOf(known);
                return this;
            }

            public Hints build() {
                return new Hints(this);
            }
        }
    }
}
