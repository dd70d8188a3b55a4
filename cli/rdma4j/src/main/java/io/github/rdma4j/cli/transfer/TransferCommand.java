// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.cli.run.RdmaCommand.AnyRadix;
import io.github.rdma4j.cm.AddressInfo;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The base of {@code cmatose} and {@code udaddy}: their common options, with the letters of the C programs. */
abstract class TransferCommand extends RdmaCommand {
    private static final int MAX_MESSAGES = 1 << 20;
    private static final int MAX_SIZE = 1 << 30;
    private static final int MAX_BYTE = 0xff;
    private static final int MIB = 1 << 20;

    @Option(
            names = "-s",
            paramLabel = "ADDR",
            description = "Run as the client, and connect to the server at this address or host name.")
    private @Nullable String server;

    @Option(names = "-b", paramLabel = "ADDR", description = "Local address.")
    private @Nullable String local;

    @Option(
            names = "-f",
            paramLabel = "FORMAT",
            description = "Format of the addresses: name, ip or ipv6 (${DEFAULT-VALUE}).")
    private String format = "name";

    @Option(names = "-c", paramLabel = "N", description = "Number of connections, 1 to 100000 (${DEFAULT-VALUE}).")
    private int connections = 1;

    @Option(
            names = "-C",
            paramLabel = "N",
            description = "Number of messages in each direction over each connection (${DEFAULT-VALUE}).")
    private int messages = 10;

    @Option(names = "-S", paramLabel = "BYTES", description = "Size of a message (${DEFAULT-VALUE}).")
    private int size = 100;

    @Option(
            names = "-t",
            paramLabel = "TOS",
            description = "Type of service of the connections of a client, 0 to 255.",
            converter = AnyRadix.class)
    private @Nullable Integer typeOfService;

    @Option(
            names = "-w",
            paramLabel = "SECONDS",
            description =
                    "Time limit for the next message of the peer (default 30) and for an answer of the peer (default"
                            + " 120). A server waits for clients without a limit.")
    private @Nullable Integer patience;

    /**
     * Returns the plan described by the options; blocks while host names are resolved.
     *
     * @param port the number or the name of the service
     * @throws picocli.CommandLine.ParameterException if an option is wrong
     * @throws RdmaException if a name has no address
     */
    final Transfer.Plan plan(PortSpace portSpace, String port) throws RdmaException {
        requireWithin("-c", connections, 1, MAX_CONNECTIONS);
        requireWithin("-C", messages, 0, MAX_MESSAGES);
        requireWithin("-S", size, 0, MAX_SIZE);
        requireWithin("-t", typeOfService, 0, MAX_BYTE);
        requireWithin("-w", patience, 1, Integer.MAX_VALUE);
        requireMemory();
        AddressInfo.Hints hints = hints().toBuilder().portSpace(portSpace).build();
        AddressInfo.Hints listening = hints.toBuilder().passive(true).build();
        int sent = size == 0 ? 0 : messages;
        Duration limit = patience == null ? null : Duration.ofSeconds(patience);
        SocketAddress here = server != null && local == null
                ? null
                : resolve("-b", local, server == null ? port : null, listening)
                        .source()
                        .orElseThrow();
        SocketAddress there = server == null
                ? null
                : resolve("-s", server, port, hints).destination().orElseThrow();
        return new Transfer.Plan(portSpace, there, here, connections, sent, size, typeOfService, limit);
    }

    private AddressInfo.Hints hints() {
        return switch (format.toLowerCase(Locale.ROOT)) {
            case "name" -> AddressInfo.Hints.DEFAULT;
            case "ip", "ipv6" -> AddressInfo.Hints.builder().numericHost(true).build();
            case "gid" ->
                throw wrong("-f gid is for InfiniBand networks and is not supported; on RoCE use the IP address of the"
                        + " device");
            default -> throw wrong("-f " + format + " is not a format; it must be name, ip or ipv6");
        };
    }

    private AddressInfo resolve(String option, @Nullable String host, @Nullable String service, AddressInfo.Hints hints)
            throws RdmaException {
        try {
            return lookUp(host, service, hints).get(0);
        } catch (UnknownHostException e) {
            throw Addresses.unknown(option, host, e);
        } catch (IOException | IllegalArgumentException e) {
            String address = host == null ? "" : option + " " + host + ": ";
            throw wrong(address + e.getMessage());
        }
    }

    private static List<AddressInfo> lookUp(@Nullable String host, @Nullable String service, AddressInfo.Hints hints)
            throws IOException {
        if (host == null) {
            return AddressInfo.resolveService(service == null ? "0" : service, hints);
        }
        return service == null ? AddressInfo.resolveHost(host, hints) : AddressInfo.resolve(host, service, hints);
    }

    /**
     * Checks the heap. C receives all messages into the same buffer; this program keeps every message for verification.
     */
    private void requireMemory() {
        long wanted = (long) connections * messages * size * 2;
        long most = Math.min(Runtime.getRuntime().maxMemory(), (long) Integer.MAX_VALUE * connections);
        require(
                wanted <= most,
                "the messages of -c " + connections + " -C " + messages + " -S " + size + " take " + wanted / MIB
                        + " MiB, and this JVM has " + most / MIB
                        + " MiB; send less, or raise the limit with JAVA_TOOL_OPTIONS=-Xmx8g");
    }
}
