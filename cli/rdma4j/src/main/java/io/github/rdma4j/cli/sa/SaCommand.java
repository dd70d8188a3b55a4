// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.internal.sysfs.RdmaPort;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.umad.MadTransport;
import io.github.rdma4j.umad.UmadPort;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;
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
         * @param device the device, for example {@code mlx5_0}; null for the first that matches
         * @param port the port number; null for the first that matches
         */
        MadTransport open(@Nullable String device, @Nullable Integer port) throws RdmaException;
    }

    /** Creates the command for the ports of this machine; for picocli. */
    public SaCommand() {
        this((device, port) -> open(Kernel.running(), device, port));
    }

    /** Creates the command for {@code ports}, for example of a simulator. */
    public SaCommand(PortOpener ports) {
        this.ports = ports;
    }

    PortOpener ports() {
        return ports;
    }

    private static MadTransport open(Kernel kernel, @Nullable String device, @Nullable Integer port)
            throws RdmaException {
        RdmaPort chosen = choose(kernel, device, port);
        return UmadPort.open(kernel, chosen.device(), chosen.number(), UmadPort.Options.DEFAULT);
    }

    /** Returns the best port of {@code kernel} that matches: preferably InfiniBand, then preferably active. */
    static RdmaPort choose(Kernel kernel, @Nullable String device, @Nullable Integer port) throws RdmaException {
        RdmaPort best = null;
        int most = -1;
        for (RdmaPort candidate : RdmaPort.list(kernel)) {
            if ((device == null || candidate.device().equals(device)) && (port == null || candidate.number() == port)) {
                LinkLayer linkLayer = candidate.linkLayer();
                // a kernel that does not report the link layer supports InfiniBand only
                boolean infiniband = linkLayer == LinkLayer.INFINIBAND || linkLayer == LinkLayer.UNSPECIFIED;
                int rank = (infiniband ? 2 : 0) + (candidate.state() == PortAttr.State.ACTIVE ? 1 : 0);
                best = rank > most ? candidate : best;
                most = Math.max(most, rank);
            }
        }
        if (best != null) {
            return best;
        }
        if (device == null && port == null) {
            throw new RdmaException(
                    "there is no RDMA device here; ./rdma4j doctor shows more",
                    new ErrnoException("looking for an RDMA device", Errno.ENODEV));
        }
        throw new RdmaException("there is no " + (device == null ? "device" : device)
                + (port == null ? "" : " with a port " + port) + " here; ls /sys/class/infiniband shows the devices");
    }
}
