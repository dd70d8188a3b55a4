// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.undo.FirstFailure;
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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The addresses for reaching or offering a service by name ({@code struct rdma_addrinfo}, {@code rdma_getaddrinfo(3)}).
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
    private static final String IPV6_DIGITS = "0123456789abcdefABCDEF:.";
    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1?\\d?\\d)";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");

    private final Hints hints;
    private final @Nullable SocketAddress source;
    private final @Nullable SocketAddress destination;

    private AddressInfo(Hints hints, @Nullable SocketAddress source, @Nullable SocketAddress destination) {
        this.hints = hints;
        this.source = source;
        this.destination = destination;
    }

    /**
     * Looks up a host by name or address, and a service by name (in {@code /etc/services}) or port. Blocks until the
     * name service answers.
     *
     * @param host the name or the address of the host
     * @param service the name of the service, or a port from 0 to 65535
     * @param hints the restrictions on the result
     * @return all results, in the order of the name service; {@code rdma_getaddrinfo(3)} returns only the first
     * @throws UnknownHostException if the host has no address of the family in the hints
     * @throws java.net.UnknownServiceException if the service is unknown
     * @throws IllegalArgumentException if the hints require a numeric host and {@code host} is a name
     */
    public static List<AddressInfo> resolve(String host, String service, Hints hints) throws IOException {
        return answers(requireHost(host), port(service, hints), hints);
    }

    /** Looks up a host without a service, as {@link #resolve} does; the port is 0. */
    public static List<AddressInfo> resolveHost(String host, Hints hints) throws IOException {
        return answers(requireHost(host), 0, hints);
    }

    private static String requireHost(String host) {
        return Objects.requireNonNull(host, "host is null; for an address of this host call resolveService");
    }

    /**
     * Looks up a service on this host, as {@link #resolve} does. The addresses are the wildcards for passive hints and
     * loopback for active hints, IPv4 before IPv6.
     */
    public static List<AddressInfo> resolveService(String service, Hints hints) throws IOException {
        return answers(null, port(service, hints), hints);
    }

    private static int port(String service, Hints hints) throws IOException {
        return ServicePorts.find(service, hints.values.type.isDatagram() ? "udp" : "tcp");
    }

    private static List<AddressInfo> answers(@Nullable String node, int port, Hints hints) throws UnknownHostException {
        List<AddressInfo> answers = new ArrayList<>();
        for (InetAddress address : addresses(node, hints)) {
            InetSocketAddress found = new InetSocketAddress(address, port);
            answers.add(
                    hints.values.passive
                            ? new AddressInfo(hints, found, null)
                            : new AddressInfo(hints, hints.values.source, found));
        }
        if (answers.isEmpty()) {
            throw new UnknownHostException(node + " has no address of the family " + hints.values.family);
        }
        return List.copyOf(answers);
    }

    /** Returns true for an IPv4 address with four octets, or an IPv6 address with or without a scope. */
    private static boolean isNumeric(String host) {
        if (host.indexOf(':') >= 0) {
            int scope = host.indexOf('%');
            String address = scope < 0 ? host : host.substring(0, scope);
            return address.chars().allMatch(c -> IPV6_DIGITS.indexOf(c) >= 0);
        }
        return IPV4.matcher(host).matches();
    }

    private static List<InetAddress> addresses(@Nullable String node, Hints hints) throws UnknownHostException {
        if (hints.values.numericHost && node != null && !isNumeric(node)) {
            throw new IllegalArgumentException(node + " is not a numeric address");
        }
        if (node != null && node.isEmpty()) {
            throw new UnknownHostException("the host name is empty"); // InetAddress would return loopback
        }
        List<InetAddress> wanted = new ArrayList<>();
        for (InetAddress address : node == null ? here(hints) : InetAddress.getAllByName(node)) {
            if (hints.values.family.takes(address)) {
                wanted.add(address);
            }
        }
        return wanted;
    }

    private static InetAddress[] here(Hints hints) throws UnknownHostException {
        boolean passive = hints.values.passive;
        return new InetAddress[] {
            InetAddress.getByName(passive ? "0.0.0.0" : "127.0.0.1"), InetAddress.getByName(passive ? "::" : "::1")
        };
    }

    /** Returns true if the address is for listening. */
    public boolean isPassive() {
        return hints.values.passive;
    }

    /** Returns the port space from the hints. */
    public PortSpace portSpace() {
        return hints.values.portSpace;
    }

    /** Returns the type of queue pair from the hints. */
    public QueuePairType type() {
        return hints.values.type;
    }

    /**
     * Returns the local address: the address to listen on if passive, otherwise the source address of the hints, if
     * any.
     */
    public Optional<SocketAddress> source() {
        return Optional.ofNullable(source);
    }

    /** Returns the peer's address; empty if passive. */
    public Optional<SocketAddress> destination() {
        return Optional.ofNullable(destination);
    }

    /** Returns the paths of the hints, which replace route resolution; an empty list if there are none. */
    public List<PathRecord> paths() {
        return hints.values.paths;
    }

    /**
     * Creates an id and prepares it as far as the address allows ({@code rdma_create_ep(3)}). For a passive address,
     * the id is bound, and {@link BlockingCmId#getRequest} creates a queue pair with {@code qpOptions} for each
     * connection. For an active address, the method resolves address and route and creates the queue pair. The caller
     * closes the id.
     *
     * @param qpOptions the options of the queue pairs
     * @param timeout the time limit of each step
     * @throws CmEventException ADDR_ERROR or ROUTE_ERROR
     * @throws CmTimeoutException if a step exceeds the time limit
     */
    public BlockingCmId createEndpoint(QueuePairOptions qpOptions, Duration timeout)
            throws RdmaException, InterruptedException {
        return endpoint(Objects.requireNonNull(qpOptions, "qpOptions"), timeout);
    }

    /** Like {@link #createEndpoint(QueuePairOptions, Duration)}, without a time limit. */
    public BlockingCmId createEndpoint(QueuePairOptions qpOptions) throws RdmaException, InterruptedException {
        return createEndpoint(qpOptions, BlockingCmId.NO_LIMIT);
    }

    /** Like {@link #createEndpoint(QueuePairOptions, Duration)}, without queue pairs. */
    public BlockingCmId createEndpoint(Duration timeout) throws RdmaException, InterruptedException {
        return endpoint(null, timeout);
    }

    /** Like {@link #createEndpoint(Duration)}, without a time limit. */
    public BlockingCmId createEndpoint() throws RdmaException, InterruptedException {
        return createEndpoint(BlockingCmId.NO_LIMIT);
    }

    private BlockingCmId endpoint(@Nullable QueuePairOptions qpOptions, Duration timeout)
            throws RdmaException, InterruptedException {
        BlockingCmId made = BlockingCmId.create(
                Kernel.running(), hints.values.portSpace, hints.values.type, hints.values.passive ? qpOptions : null);
        try {
            if (hints.values.passive) {
                made.bind(Objects.requireNonNull(source, "source"));
            } else {
                reach(made, qpOptions, timeout);
            }
            return made;
        } catch (RdmaException | RuntimeException | Error | InterruptedException e) {
            FirstFailure.closeAfter(e, made);
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
        if (hints.values.paths.isEmpty()) {
            id.resolveRoute(timeout);
        } else {
            id.resolveRoute(timeout, () -> id.id().settings().paths(hints.values.paths));
        }
        if (options != null) {
            id.createQp(options);
        }
    }

    @Override
    public String toString() {
        return "AddressInfo[" + hints.values.portSpace + " "
                + (hints.values.passive ? "at " + source : "to " + destination) + "]";
    }

    /** The address families to look up. */
    public enum Family {
        /** IPv4 and IPv6. */
        ANY,
        /** Only IPv4. */
        IPV4,
        /**
         * Only IPv6. An IPv4 address in IPv6 form, such as {@code ::ffff:10.77.0.2}, is treated as IPv4, because Java
         * converts it. {@code rdma_getaddrinfo(3)} returns it as IPv6, and the kernel then looks for a route to it in
         * IPv6, where there is none.
         */
        IPV6;

        boolean takes(InetAddress address) {
            return switch (this) {
                case ANY -> true;
                case IPV4 -> address instanceof Inet4Address;
                case IPV6 -> address instanceof Inet6Address;
            };
        }
    }

    /**
     * The restrictions on a lookup. The defaults are for a connection over {@link PortSpace#TCP} to a peer. Immutable.
     */
    public static final class Hints {
        /** Hints for an active connection in {@link PortSpace#TCP}. */
        public static final Hints DEFAULT = builder().build();

        private final Builder values;

        private Hints(Builder values) {
            this.values = values;
        }

        /** Returns a builder of hints for an active side, of any family, in the port space of TCP. */
        public static Builder builder() {
            return new Builder();
        }

        /** Returns a builder that starts with these hints. */
        public Builder toBuilder() {
            return new Builder(values);
        }

        /** Builds hints. Mutable; for one thread. */
        public static final class Builder {
            private boolean passive;
            private boolean numericHost;
            private Family family = Family.ANY;
            private PortSpace portSpace = PortSpace.TCP;
            private QueuePairType type = QueuePairType.RC;
            private @Nullable SocketAddress source;
            private List<PathRecord> paths = List.of();

            private Builder() {}

            private Builder(Builder other) {
                passive = other.passive;
                numericHost = other.numericHost;
                family = other.family;
                portSpace = other.portSpace;
                type = other.type;
                source = other.source;
                paths = other.paths;
            }

            /** Sets whether the address is for listening ({@code RAI_PASSIVE}); false by default. */
            public Builder passive(boolean listens) {
                passive = listens;
                return this;
            }

            /**
             * Sets whether the host must be a numeric address, without a request to the name service
             * ({@code RAI_NUMERICHOST}); false by default.
             */
            public Builder numericHost(boolean numeric) {
                numericHost = numeric;
                return this;
            }

            /** Sets the address family ({@code ai_family}, {@code RAI_FAMILY}); {@link Family#ANY} by default. */
            public Builder family(Family wanted) {
                family = Objects.requireNonNull(wanted, "family");
                return this;
            }

            /**
             * Sets the port space ({@code ai_port_space}) and its default type of queue pair; {@link PortSpace#TCP} by
             * default.
             */
            public Builder portSpace(PortSpace wanted) {
                portSpace = Objects.requireNonNull(wanted, "portSpace");
                type = wanted.queuePairType();
                return this;
            }

            /**
             * Sets the type of queue pair ({@code ai_qp_type}), for {@link PortSpace#IB}, which supports several types.
             * Set the port space first.
             *
             * @throws IllegalArgumentException if the port space does not support the type
             */
            public Builder type(QueuePairType wanted) {
                portSpace.requireAllows(Objects.requireNonNull(wanted, "type"));
                type = wanted;
                return this;
            }

            /**
             * Sets the local address of an active connection ({@code ai_src_addr}); by default the kernel selects it.
             */
            public Builder source(SocketAddress address) {
                source = Objects.requireNonNull(address, "address");
                return this;
            }

            /** Sets the paths to the peer ({@code ai_route}), which replace route resolution; none by default. */
            public Builder paths(List<PathRecord> known) {
                paths = List.copyOf(known);
                return this;
            }

            /** Returns the hints. */
            public Hints build() {
                return new Hints(new Builder(this));
            }
        }
    }
}
