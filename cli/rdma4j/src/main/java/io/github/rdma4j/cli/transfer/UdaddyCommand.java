// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cli.run.RdmaCommand.AnyRadix;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rdma4j udaddy}. */
@Command(
        name = "udaddy",
        description = "Exchange datagrams. Compatible with udaddy(1).",
        footer = {"", "Without -s the program is the server. It ends when it has answered one client."},
        mixinStandardHelpOptions = true)
public final class UdaddyCommand extends TransferCommand {
    /** The port of {@code udaddy(1)}, which has no option for another port. */
    private static final String PORT = "7174";

    @Option(names = "-P", paramLabel = "SPACE", description = "Port space: udp or ipoib (${DEFAULT-VALUE}).")
    private String portSpace = "udp";

    @Option(
            names = "-p",
            paramLabel = "NUMBER",
            description = "Port space by number, instead of -P: 0x0111 for udp, 0x0002 for ipoib.",
            converter = AnyRadix.class)
    private @Nullable Integer portSpaceNumber;

    /** For picocli. */
    public UdaddyCommand() {}

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        TransferPlan plan = plan(portSpaceNumber == null ? byName() : byNumber(portSpaceNumber), PORT);
        new Udaddy(plan, out()).run();
        return 0;
    }

    private PortSpace byName() {
        return switch (portSpace.toLowerCase(Locale.ROOT)) {
            case "udp" -> PortSpace.UDP;
            case "ipoib" -> PortSpace.IPOIB;
            default -> throw wrong("-P " + portSpace + " is not a port space; it must be udp or ipoib");
        };
    }

    private PortSpace byNumber(int number) {
        return Stream.of(PortSpace.UDP, PortSpace.IPOIB)
                .filter(space -> space.code() == number)
                .findFirst()
                .orElseThrow(() -> wrong(
                        "-p " + portSpaceNumber + " is not a port space; it must be 0x0111 (udp) or 0x0002 (ipoib)"));
    }
}
