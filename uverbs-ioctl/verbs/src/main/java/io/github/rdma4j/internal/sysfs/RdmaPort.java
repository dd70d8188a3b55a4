// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.sysfs;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A port of an RDMA device in sysfs, {@code class/infiniband/DEVICE/ports/NUMBER}. Each method reads the current
 * content of a file.
 *
 * @param device the name of the device
 * @param number the number of the port, from 1
 * @param directory the directory of the port's files
 */
public record RdmaPort(String device, int number, Path directory) {
    private static final Gid NO_GID = new Gid(0, 0);

    /** The port with the number {@code number}, which need not exist. */
    public static RdmaPort of(Kernel kernel, String device, int number) {
        return new RdmaPort(
                device, number, new Sysfs(kernel).path("class", "infiniband", device, "ports", String.valueOf(number)));
    }

    /** The ports of all devices. */
    public static List<RdmaPort> list(Kernel kernel) throws RdmaException {
        Path devices = new Sysfs(kernel).path("class", "infiniband");
        List<RdmaPort> ports = new ArrayList<>();
        for (String device : Sysfs.names(devices)) {
            for (String number : Sysfs.names(devices.resolve(device).resolve("ports"))) {
                ports.add(of(kernel, device, Integer.parseInt(number)));
            }
        }
        return ports;
    }

    /** The number of the state; empty if there is no such port. */
    public Optional<Integer> rawState() throws RdmaException {
        Path file = directory.resolve("state");
        Optional<Integer> state = Sysfs.number(file);
        if (state.isEmpty() && Files.exists(file)) {
            throw cannotRead(file);
        }
        return state;
    }

    /** The logical state; {@link PortAttr.State#UNKNOWN} if there is no such port. */
    public PortAttr.State state() throws RdmaException {
        return rawState().map(PortAttr.State::of).orElse(PortAttr.State.UNKNOWN);
    }

    /** The link layer; {@link LinkLayer#UNSPECIFIED} if the kernel is too old to report it. */
    public LinkLayer linkLayer() throws RdmaException {
        Optional<String> text = present(directory.resolve("link_layer"));
        if (text.isEmpty()) {
            return LinkLayer.UNSPECIFIED;
        }
        return switch (text.get()) {
            case "InfiniBand" -> LinkLayer.INFINIBAND;
            case "Ethernet" -> LinkLayer.ETHERNET;
            default -> LinkLayer.UNKNOWN;
        };
    }

    /** The text of a file, for messages: for example {@code 4: ACTIVE}, or {@code unknown}. */
    public String text(String file) {
        return Sysfs.read(directory.resolve(file)).orElse("unknown");
    }

    /** A number such as {@code lid}, decimal or hexadecimal with the prefix 0x; 0 if there is no such file. */
    public int value(String file) throws RdmaException {
        return value(directory.resolve(file));
    }

    /** An entry of the GID table; the zero GID for an unused entry. */
    public Gid gid(int index) throws RdmaException {
        Path file = directory.resolve("gids").resolve(String.valueOf(index));
        // Reading an unused entry fails on some kernels.
        return Sysfs.parse(file, Sysfs.read(file), Gid::parse).orElse(NO_GID);
    }

    /** The table of partition keys. */
    public List<Integer> pkeys() throws RdmaException {
        List<Integer> pkeys = new ArrayList<>();
        Path table = directory.resolve("pkeys");
        for (String index : Sysfs.names(table)) {
            pkeys.add(value(table.resolve(index)));
        }
        return pkeys;
    }

    private static int value(Path file) throws RdmaException {
        return Sysfs.parse(file, present(file), Integer::decode).orElse(0);
    }

    /**
     * The text of a file; empty if there is no such file. Throws if the file exists but cannot be read now.
     */
    private static Optional<String> present(Path file) throws RdmaException {
        Optional<String> text = Sysfs.read(file);
        if (text.isEmpty() && Files.exists(file)) {
            throw cannotRead(file);
        }
        return text;
    }

    private static RdmaException cannotRead(Path file) {
        return new RdmaException(file + " exists but cannot be read. Too many open files? See ulimit -n");
    }

    @Override
    public String toString() {
        return "port " + number + " of " + device;
    }
}
