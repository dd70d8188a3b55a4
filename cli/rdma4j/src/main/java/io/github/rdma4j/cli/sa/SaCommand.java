// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.kernel.Kernel;
import picocli.CommandLine.Command;

/** {@code rdma4j sa}. */
@Command(
        name = "sa",
        description = "Query the subnet administration of an InfiniBand subnet, and join and leave multicast groups.",
        subcommands = {
            ClassPortInfoCommand.class,
            GroupsCommand.class,
            MembersCommand.class,
            JoinCommand.class,
            LeaveCommand.class,
            PathCommand.class,
            ServicesCommand.class,
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

    /** For picocli: the ports of this machine. */
    public SaCommand() {
        this((device, port) -> new KernelPorts(Kernel.running()).open(device, port));
    }

    /** Commands on the ports of {@code ports}, for example of a simulator. */
    public SaCommand(PortOpener ports) {
        this.ports = ports;
    }

    PortOpener ports() {
        return ports;
    }
}
