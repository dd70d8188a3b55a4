// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.cm.AddressInfo;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.math.BigInteger;
import java.net.UnknownHostException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
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

    @Mixin
    private final Transfer.Plan plan = new Transfer.Plan();

    /**
     * Returns the plan described by the options; blocks while host names are resolved.
     *
     * @param port the number or the name of the service
     * @throws picocli.CommandLine.ParameterException if an option is wrong
     * @throws RdmaException if a name has no address
     */
    final Transfer.Plan plan(PortSpace portSpace, String port) throws RdmaException {
        requireWithin("-c", plan.connections, 1, MAX_CONNECTIONS);
        requireWithin("-C", plan.messages, 0, MAX_MESSAGES);
        requireWithin("-S", plan.size, 0, MAX_SIZE);
        requireWithin("-t", plan.typeOfService, 0, MAX_BYTE);
        requireWithin("-w", plan.patience, 1, Integer.MAX_VALUE);
        requireMemory();
        AddressInfo.Hints hints = hints().toBuilder().portSpace(portSpace).build();
        AddressInfo.Hints listening = hints.toBuilder().passive(true).build();
        plan.portSpace = portSpace;
        plan.local = server != null && local == null
                ? null
                : resolve("-b", local, server == null ? port : "0", listening)
                        .source()
                        .orElseThrow();
        plan.server = server == null
                ? null
                : resolve("-s", server, port, hints).destination().orElseThrow();
        if (plan.size == 0) {
            plan.messages = 0;
        }
        return plan;
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

    private AddressInfo resolve(String option, @Nullable String host, String service, AddressInfo.Hints hints)
            throws RdmaException {
        try {
            return (host == null
                            ? AddressInfo.resolveService(service, hints)
                            : AddressInfo.resolve(host, service, hints))
                    .get(0);
        } catch (UnknownHostException e) {
            throw Addresses.unknown(option, host, e);
        } catch (IOException | IllegalArgumentException e) {
            String address = host == null ? "" : option + " " + host + ": ";
            throw wrong(address + e.getMessage());
        }
    }

    /**
     * Checks the heap. C receives all messages into the same buffer; this program keeps every message for verification.
     */
    private void requireMemory() {
        // the product exceeds a long
        BigInteger wanted = BigInteger.valueOf((long) plan.connections * plan.messages)
                .multiply(BigInteger.valueOf(2L * plan.size));
        long most = Math.min(Runtime.getRuntime().maxMemory(), (long) Integer.MAX_VALUE * plan.connections);
        require(
                wanted.compareTo(BigInteger.valueOf(most)) <= 0,
                "the messages of -c " + plan.connections + " -C " + plan.messages + " -S " + plan.size + " take "
                        + wanted.divide(BigInteger.valueOf(MIB))
                        + " MiB, and this JVM has " + most / MIB
                        + " MiB; send less, or raise the limit with JAVA_TOOL_OPTIONS=-Xmx8g");
    }
}
