// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.internal.sysfs.Sysfs;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.Gid;
import io.github.rdma4j.verbs.LinkLayer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What sysfs tells of a port. */
final class PortFiles {
    private static final String NO_GID = "0000:0000:0000:0000:0000:0000:0000:0000";

    private final Sysfs sysfs;
    private final String device;
    private final int port;
    private final Path directory;

    PortFiles(Kernel kernel, String device, int port) {
        this.sysfs = new Sysfs(kernel);
        this.device = device;
        this.port = port;
        this.directory = sysfs.path("class", "infiniband", device, "ports", String.valueOf(port));
    }

    /** The name of the port's umad node. */
    String umadName() throws RdmaException {
        Path umads = sysfs.path("class", "infiniband_mad");
        for (String name : Sysfs.names(umads)) {
            Path umad = umads.resolve(name);
            if (name.startsWith("umad")
                    && Sysfs.read(umad.resolve("ibdev")).filter(device::equals).isPresent()
                    && Sysfs.number(umad.resolve("port"))
                            .filter(number -> number == port)
                            .isPresent()) {
                return name;
            }
        }
        throw new UnsupportedByKernelException(
                this + " has no umad node. Load the module that makes it: modprobe ib_umad");
    }

    LocalPort read() throws RdmaException {
        Path state = directory.resolve("state");
        int number = Sysfs.number(state).orElseThrow(() -> missing(state));
        return new LocalPort(
                device,
                port,
                number,
                linkLayer(),
                decoded("lid"),
                decoded("lid_mask_count"),
                decoded("sm_lid"),
                decoded("sm_sl"),
                gid(),
                pkeys());
    }

    /** A port without a state has gone, or nothing can be opened. */
    private RdmaException missing(Path state) {
        return Files.exists(state)
                ? cannotRead(state)
                : new UnsupportedByKernelException(
                        "there is no " + this + ": " + state + ". ls /sys/class/infiniband shows the devices");
    }

    private static RdmaException cannotRead(Path file) {
        return new RdmaException(file + " is there and cannot be read. Too many open files? See ulimit -n");
    }

    /** The text of a file, empty when there is none; a file that only cannot be opened just now is not taken for none. */
    private static Optional<String> text(Path file) throws RdmaException {
        Optional<String> text = Sysfs.read(file);
        if (text.isEmpty() && Files.exists(file)) {
            throw cannotRead(file);
        }
        return text;
    }

    private LinkLayer linkLayer() throws RdmaException {
        return switch (text(directory.resolve("link_layer")).orElse("")) {
            case "InfiniBand" -> LinkLayer.INFINIBAND;
            case "Ethernet" -> LinkLayer.ETHERNET;
            default -> LinkLayer.UNKNOWN;
        };
    }

    private Gid gid() throws RdmaException {
        Path file = directory.resolve(Path.of("gids", "0"));
        String text = Sysfs.read(file).orElse(NO_GID); // kernels refuse an entry that is not in use
        try {
            return Gid.parse(text);
        } catch (IllegalArgumentException e) {
            throw Sysfs.malformed(file, text);
        }
    }

    private List<Integer> pkeys() throws RdmaException {
        List<Integer> pkeys = new ArrayList<>();
        Path table = directory.resolve("pkeys");
        for (String index : Sysfs.names(table)) {
            pkeys.add(decoded(table.resolve(index)));
        }
        return pkeys;
    }

    private int decoded(String name) throws RdmaException {
        return decoded(directory.resolve(name));
    }

    /** Decimal or, with 0x before it, hexadecimal; 0 when there is no such file. */
    private static int decoded(Path file) throws RdmaException {
        Optional<String> text = text(file);
        try {
            return text.isEmpty() ? 0 : Integer.decode(text.get());
        } catch (NumberFormatException e) {
            throw Sysfs.malformed(file, text.get());
        }
    }

    @Override
    public String toString() {
        return "port " + port + " of " + device;
    }
}
