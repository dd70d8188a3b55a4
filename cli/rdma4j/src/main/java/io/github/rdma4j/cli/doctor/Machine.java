// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.kernel.Kernel;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The machine that the doctor examines.
 *
 * @param kernel system calls, sysfs and device nodes
 * @param root the root directory, for {@code /proc} and {@code /lib/modules}
 * @param addresses the IP addresses of a network interface by its name
 * @param guest whether this is a guest of the testbed, which sees the files of a container without being a container
 */
record Machine(Kernel kernel, Path root, Function<String, List<InetAddress>> addresses, boolean guest) {
    private static final int IFF_UP = 1;

    /** The machine or container that this process runs in. */
    static Machine running() {
        boolean guest = "1".equals(System.getenv("RDMA4J_GUEST"));
        return new Machine(Kernel.running(), Path.of("/"), Netdev::addressesOf, guest);
    }

    /** The text of a file below the root directory, without its last line end; empty when it cannot be read. */
    Optional<String> read(String file) {
        return readText(root.resolve(file));
    }

    /** The text of a file of sysfs. */
    Optional<String> readSysfs(String file) {
        return readText(LinuxKernel.of(kernel).sysfs().resolve(file));
    }

    boolean hasSysfs(String file) {
        return Files.exists(LinuxKernel.of(kernel).sysfs().resolve(file));
    }

    private static Optional<String> readText(Path file) {
        try {
            return Optional.of(
                    Files.readString(file, StandardCharsets.ISO_8859_1).stripTrailing());
        } catch (IOException absentOrRefused) {
            return Optional.empty();
        }
    }

    /** The kernel's release, for example {@code 6.1.0-37-amd64}. */
    String release() {
        return read("proc/sys/kernel/osrelease").orElse("unknown");
    }

    /**
     * Whether this is the inside of a container, where modules are loaded and devices passed in from outside. The image of a virtual
     * machine may come from a container and have its marks, but a machine has the kernel's threads too.
     */
    boolean isContainer() {
        return !guest
                && read("proc/2/comm").filter("kthreadd"::equals).isEmpty()
                && (Files.exists(root.resolve(".dockerenv"))
                        || Files.exists(root.resolve("run/.containerenv"))
                        || read("proc/1/cgroup")
                                .filter(text -> text.contains("docker") || text.contains("kubepods"))
                                .isPresent());
    }

    /**
     * The network interface of that name; empty when this network namespace has none. Of the files only the one in proc
     * is always that of the namespace: sysfs may have been mounted from another.
     */
    Optional<Netdev> netdev(String name) {
        boolean here = read("proc/self/net/dev")
                .filter(text -> text.lines().anyMatch(line -> line.strip().startsWith(name + ":")))
                .isPresent();
        if (name.isEmpty() || !here) {
            return Optional.empty();
        }
        boolean up = (readNumber("class/net/" + name + "/flags") & IFF_UP) != 0;
        return Optional.of(new Netdev(up, readNumber("class/net/" + name + "/mtu"), addresses.apply(name)));
    }

    private int readNumber(String file) {
        try {
            return Integer.decode(readSysfs(file).orElse("0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
