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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ports of this machine, through {@code /dev/infiniband/umad*}. */
final class KernelPorts implements SaCommand.PortOpener {
    private final Kernel kernel;

    KernelPorts(Kernel kernel) {
        this.kernel = kernel;
    }

    /**
     * A candidate port.
     *
     * @param infiniband true if the port can have a subnet manager
     * @param active true if the port is active
     */
    record Port(String device, int number, boolean infiniband, boolean active) {}

    @Override
    public MadTransport open(@Nullable String device, @Nullable Integer port) throws RdmaException {
        Port chosen = choose(device, port);
        return UmadPort.open(kernel, chosen.device(), chosen.number(), UmadPort.Options.DEFAULT);
    }

    /** Returns the best port that matches: preferably InfiniBand, then preferably active. */
    Port choose(@Nullable String device, @Nullable Integer port) throws RdmaException {
        return ports().stream()
                .filter(candidate -> device == null || candidate.device().equals(device))
                .filter(candidate -> port == null || candidate.number() == port)
                .min(Comparator.comparing((Port candidate) -> !candidate.infiniband())
                        .thenComparing(candidate -> !candidate.active()))
                .orElseThrow(() -> missing(device, port));
    }

    private static RdmaException missing(@Nullable String device, @Nullable Integer port) {
        if (device == null && port == null) {
            return new RdmaException(
                    "there is no RDMA device here; ./rdma4j doctor shows more",
                    new ErrnoException("looking for an RDMA device", Errno.ENODEV));
        }
        return new RdmaException("there is no " + (device == null ? "device" : device)
                + (port == null ? "" : " with a port " + port) + " here; ls /sys/class/infiniband shows the devices");
    }

    private List<Port> ports() throws RdmaException {
        List<Port> ports = new ArrayList<>();
        for (RdmaPort port : RdmaPort.list(kernel)) {
            LinkLayer linkLayer = port.linkLayer();
            // a kernel that does not report the link layer supports InfiniBand only
            boolean infiniband = linkLayer == LinkLayer.INFINIBAND || linkLayer == LinkLayer.UNSPECIFIED;
            ports.add(new Port(port.device(), port.number(), infiniband, port.state() == PortAttr.State.ACTIVE));
        }
        return ports;
    }
}
