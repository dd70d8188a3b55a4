// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.umad.MadTransport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code rdma4j sa}. */
@Command(
        name = "sa",
        description = "Query the subnet administration of an InfiniBand subnet, and join and leave multicast groups.",
        subcommands = {
            SaQueries.ClassPortInfoCommand.class,
            SaQueries.GroupsCommand.class,
            SaQueries.MembersCommand.class,
            JoinCommand.class,
            LeaveCommand.class,
            SaQueries.PathCommand.class,
            SaQueries.ServicesCommand.class,
            WatchCommand.class
        },
        footer = {
            "",
            "Needs access to /dev/infiniband/umad* (module ib_umad), by default for root only. A RoCE network has no"
                    + " subnet",
            "manager; join groups there with mckey."
        },
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
public final class SaCommand {
    private final PortOpener ports;

    /** Opens the port of a command. */
    @FunctionalInterface
    public interface PortOpener {
        /**
         * Opens the port for management datagrams; the caller closes it.
         *
         *
         * @param device the device, for example {@code mlx5_0}; null for the first that matches
         * @param port the port number; null for the first that matches
         */
        MadTransport open(@Nullable String device, @Nullable Integer port) throws RdmaException;
    }

    /** Creates the command for the ports of this machine; for picocli. */
    public SaCommand() {
        this((device, port) -> new KernelPorts(Kernel.running()).open(device, port));
    }

    /** Creates the command for {@code ports}, for example of a simulator. */
    public SaCommand(PortOpener ports) {
        this.ports = ports;
    }

    PortOpener ports() {
        return ports;
    }
}
