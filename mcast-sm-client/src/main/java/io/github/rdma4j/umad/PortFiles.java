// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.internal.sysfs.RdmaPort;
import io.github.rdma4j.internal.sysfs.Sysfs;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.nio.file.Path;

/** The state of a port from sysfs. */
final class PortFiles {
    private final Sysfs sysfs;
    private final RdmaPort port;

    PortFiles(Kernel kernel, String device, int port) {
        this.sysfs = new Sysfs(kernel);
        this.port = RdmaPort.of(kernel, device, port);
    }

    /** The name of the port's umad node. */
    String umadName() throws RdmaException {
        Path umads = sysfs.path("class", "infiniband_mad");
        for (String name : Sysfs.names(umads)) {
            Path umad = umads.resolve(name);
            if (name.startsWith("umad")
                    && Sysfs.read(umad.resolve("ibdev"))
                            .filter(port.device()::equals)
                            .isPresent()
                    && Sysfs.number(umad.resolve("port"))
                            .filter(number -> number == port.number())
                            .isPresent()) {
                return name;
            }
        }
        throw new UnsupportedByKernelException(
                port + " has no umad node. Load the module that creates it: modprobe ib_umad");
    }

    LocalPort read() throws RdmaException {
        int state = port.rawState()
                .orElseThrow(() -> new UnsupportedByKernelException("there is no " + port + ": "
                        + port.directory().resolve("state") + ". ls /sys/class/infiniband shows the devices"));
        LinkLayer linkLayer = port.linkLayer();
        return new LocalPort(
                port.device(),
                port.number(),
                state,
                linkLayer == LinkLayer.UNSPECIFIED ? LinkLayer.UNKNOWN : linkLayer,
                port.value("lid"),
                port.value("lid_mask_count"),
                port.value("sm_lid"),
                port.value("sm_sl"),
                port.gid(0),
                port.pkeys());
    }

    @Override
    public String toString() {
        return port.toString();
    }
}
