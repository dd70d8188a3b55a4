// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cli.run.RdmaCommand.AnyRadix;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rdma4j cmatose}. */
@Command(
        name = "cmatose",
        description = "Make connections and exchange messages. Compatible with ucmatose(1).",
        footer = {"", "Without -s the program is the server. It ends when the connections of one client have ended."},
        mixinStandardHelpOptions = true)
public final class CmatoseCommand extends TransferCommand {
    /** The port of {@code ucmatose(1)}. */
    private static final String PORT = "7471";

    private static final int MAX_ACK_TIMEOUT = 31;

    @Option(names = "-P", paramLabel = "SPACE", description = "Port space: tcp or ib (${DEFAULT-VALUE}).")
    private String portSpace = "tcp";

    @Option(names = "-p", paramLabel = "PORT", description = "Port or service name of the server (${DEFAULT-VALUE}).")
    private String port = PORT;

    @Option(
            names = {"-m", "--migrate"},
            description = "Move all ids to another event channel before the connections end.")
    private boolean migrate;

    @Option(
            names = "-a",
            paramLabel = "N",
            description = "Acknowledgement timeout of 4.096 us times two to the power of N, 0 to 31.",
            converter = AnyRadix.class)
    private @Nullable Integer ackTimeout;

    /** For picocli. */
    public CmatoseCommand() {}

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        requireWithin("-a", ackTimeout, 0, MAX_ACK_TIMEOUT);
        TransferPlan plan = plan(portSpace(), port);
        new Cmatose(plan, migrate, ackTimeout, out()).run();
        return 0;
    }

    private PortSpace portSpace() {
        return switch (portSpace.toLowerCase(Locale.ROOT)) {
            case "tcp" -> PortSpace.TCP;
            case "ib" -> PortSpace.IB;
            default -> throw wrong("-P " + portSpace + " is not a port space; it must be tcp or ib");
        };
    }
}
