// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.sysfs.Sysfs;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.UmlKernel;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The examined machine, with the modules of its kernel.
 *
 * @param kernel system calls, sysfs and device nodes
 * @param root the root directory, for {@code /proc} and {@code /lib/modules}
 * @param addresses the function from the name of a network interface to its IP addresses
 * @param guest true in a guest of the testbed, which sees the files of a container without being one
 * @param uml true if the testbed has its User Mode Linux kernel, which needs no KVM
 */
record Machine(Kernel kernel, Path root, Function<String, List<InetAddress>> addresses, boolean guest, boolean uml) {
    /** The command that runs a kernel with the modules. */
    static final String TESTBED = "./rdma4j testbed run -- COMMAND";

    private static final int IFF_UP = 1;

    /**
     * A network interface of this network namespace.
     *
     * @param mtu the size of the largest packet in bytes, 0 if unknown
     */
    record Netdev(boolean up, int mtu, List<InetAddress> addresses) {}

    /** The machine or container in which this process runs. */
    static Machine running() {
        boolean guest = "1".equals(System.getenv("RDMA4J_GUEST"));
        boolean uml = UmlKernel.isIn(CacheDirectory.of(System.getenv()));
        return new Machine(Kernel.running(), Path.of("/"), Addresses::ofInterface, guest, uml);
    }

    /** The text of a file below the root directory, without white space around it; empty if it cannot be read. */
    Optional<String> read(String file) {
        return Sysfs.read(root.resolve(file));
    }

    Optional<String> readSysfs(String file) {
        return Sysfs.read(LinuxKernel.of(kernel).sysfs().resolve(file));
    }

    boolean hasSysfs(String file) {
        return Files.exists(LinuxKernel.of(kernel).sysfs().resolve(file));
    }

    /** The kernel's release, for example {@code 6.1.0-37-amd64}. */
    String release() {
        return read("proc/sys/kernel/osrelease").orElse("unknown");
    }

    /**
     * True inside a container, where modules must be loaded and devices passed in from outside. The image of a virtual
     * machine may come from a container and still have its marks, but a machine also shows kernel threads.
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
     * The network interface named {@code name}; empty if this network namespace has none. The file in proc always shows
     * this namespace; sysfs may be mounted from another namespace.
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

    /** True if a module is loaded or built in. */
    boolean isLoaded(String module) {
        return hasSysfs("module/" + module)
                || contains(read("proc/modules"), "\n" + module + " ")
                || contains(read(directory() + "modules.builtin"), "/" + module + ".ko");
    }

    /** True if {@code modprobe} may help. Most containers cannot tell, but the host may have the module. */
    boolean mayBeLoaded(String module) {
        if (read("proc/modules").isEmpty()) {
            return false;
        }
        Optional<String> all = read(directory() + "modules.dep");
        return all.isEmpty() ? isContainer() : contains(all, "/" + module + ".ko");
    }

    /** The command that loads the modules. */
    String remedy(List<String> modules) {
        List<String> absent =
                modules.stream().filter(module -> !mayBeLoaded(module)).toList();
        if (absent.isEmpty()) {
            return onHost((modules.size() == 1 ? "modprobe " : "modprobe -a ") + String.join(" ", modules));
        }
        return TESTBED + " (Linux " + release() + " is built without " + String.join(", ", absent) + ")";
    }

    /** A command for the host of a container. */
    String onHost(String command) {
        return isContainer() ? "on the host, outside this container: " + command : command;
    }

    private String directory() {
        return "lib/modules/" + release() + "/";
    }

    private static boolean contains(Optional<String> text, String part) {
        return ("\n" + text.orElse("")).contains(part);
    }

    /** The path of the RDMA device node {@code name}. */
    Path node(String name) {
        return LinuxKernel.of(kernel).infinibandDirectory().resolve(name);
    }

    /** Opens and closes a node; returns the number of its character device, or a negative error number. */
    long open(Path node) {
        Syscalls syscalls = LinuxKernel.of(kernel).syscalls();
        int fd = syscalls.open(node.toString(), Syscalls.O_RDWR | Syscalls.O_CLOEXEC);
        if (fd < 0) {
            return fd;
        }
        try {
            return Math.max(0, syscalls.characterDevice(fd));
        } finally {
            syscalls.close(fd);
        }
    }
}
