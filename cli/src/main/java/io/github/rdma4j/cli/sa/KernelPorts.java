// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.internal.sysfs.Sysfs;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.umad.MadTransport;
import io.github.rdma4j.umad.UmadPort;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ports of this machine, through {@code /dev/infiniband/umad*}. */
final class KernelPorts implements PortOpener {
    private static final String ACTIVE = "4: ACTIVE";

    private final Kernel kernel;

    KernelPorts(Kernel kernel) {
        this.kernel = kernel;
    }

    /**
     * A port that one may mean.
     *
     * @param infiniband whether there can be a subnet manager
     * @param active whether it is up
     */
    record Port(String device, int number, boolean infiniband, boolean active) {}

    @Override
    public MadTransport open(@Nullable String device, @Nullable Integer port) throws RdmaException {
        Port chosen = choose(device, port);
        return UmadPort.open(kernel, chosen.device(), chosen.number(), UmadPort.Options.DEFAULT);
    }

    /** The first port that is as wanted; one of InfiniBand rather than another, an active one rather than another. */
    Port choose(@Nullable String device, @Nullable Integer port) throws RdmaException {
        return ports().stream()
                .filter(candidate -> device == null || candidate.device().equals(device))
                .filter(candidate -> port == null || candidate.number() == port)
                .min(Comparator.comparing((Port candidate) -> !candidate.infiniband())
                        .thenComparing(candidate -> !candidate.active()))
                .orElseThrow(() -> new RdmaException(missing(device, port)));
    }

    private static String missing(@Nullable String device, @Nullable Integer port) {
        if (device == null && port == null) {
            return "there is no RDMA device here; ./rdma4j doctor tells more";
        }
        return "there is no " + (device == null ? "device" : device) + (port == null ? "" : " with a port " + port)
                + " here; ls /sys/class/infiniband shows the devices";
    }

    private List<Port> ports() throws RdmaException {
        Path devices = new Sysfs(kernel).path("class", "infiniband");
        List<Port> ports = new ArrayList<>();
        for (String device : Sysfs.names(devices)) {
            Path directory = devices.resolve(device).resolve("ports");
            for (String number : Sysfs.names(directory)) {
                Path port = directory.resolve(number);
                // Without the file it is a device that has only ever had InfiniBand.
                boolean infiniband = Sysfs.read(port.resolve("link_layer"))
                        .orElse("InfiniBand")
                        .equals("InfiniBand");
                boolean active = Sysfs.read(port.resolve("state")).orElse("").equals(ACTIVE);
                ports.add(new Port(device, Integer.parseInt(number), infiniband, active));
            }
        }
        return ports;
    }
}
