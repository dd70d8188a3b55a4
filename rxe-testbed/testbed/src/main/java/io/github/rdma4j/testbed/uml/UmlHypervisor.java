// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.uml;

import io.github.rdma4j.testbed.host.HostProcessor;
import io.github.rdma4j.testbed.host.Resource;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.machine.GuestMachine;
import io.github.rdma4j.testbed.machine.Hypervisor;
import io.github.rdma4j.testbed.machine.MachineSpec;
import io.github.rdma4j.testbed.machine.NodeLink;
import io.github.rdma4j.testbed.machine.RuntimeDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Guests in User Mode Linux.
 *
 * @param image the guests' kernel, a program of this machine
 */
public record UmlHypervisor(KernelImage image) implements Hypervisor {
    static final String LAUNCHER = "launch.pl";

    /** The name in the working directory; the kernel's command line cannot hold a path with a space. */
    private static final String INITRAMFS = "initramfs";

    /**
     * The console writes to standard output and reads nothing. User processes are kept in check by seccomp filters,
     * which takes half the time of ptrace. An oops is a panic, as the kernel was configured.
     */
    private static final List<String> KERNEL_ARGUMENTS = List.of(
            "seccomp=on",
            "initrd=" + INITRAMFS,
            "con0=null,fd:1",
            "con=null",
            "stderr=1",
            "quiet",
            "panic=-1",
            "rcupdate.rcu_expedited=1",
            "rdma4j.machine=uml");

    /** The option in {@code /proc/self/mounts} of a file system on which no program can be executed. */
    private static final String NO_EXECUTION = "noexec";

    @Override
    public GuestMachine start(MachineSpec machine, @Nullable NodeLink link)
            throws TestbedException, InterruptedException {
        Path place = memoryDirectory(machine.memoryMib());
        try (RuntimeDirectory run = RuntimeDirectory.create();
                RuntimeDirectory memory = RuntimeDirectory.createIn(place)) {
            Path launcher = run.resolve(LAUNCHER);
            Files.write(launcher, Resource.bytes("uml/" + LAUNCHER));
            Files.createSymbolicLink(run.resolve(INITRAMFS), image.initramfs());
            Path directory = Objects.requireNonNull(launcher.toAbsolutePath().getParent());
            ProcessBuilder builder = new ProcessBuilder(boot(machine, run, memory, link))
                    .directory(directory.toFile())
                    .redirectInput(Path.of("/dev/null").toFile());
            builder.environment().clear();
            builder.environment().put("TMPDIR", memory.path().toString());
            // User Mode Linux writes its process id there.
            builder.environment().put("HOME", directory.toString());
            GuestMachine guest = GuestMachine.start(name(), builder, new GuestMachine.Ports(run.path()));
            guest.process().awaitFirstWord();
            return guest;
        } catch (IOException e) {
            throw new TestbedException(
                    "cannot make the directories for User Mode Linux: " + RuntimeDirectory.problem(e), e);
        }
    }

    @Override
    public String name() {
        return "User Mode Linux";
    }

    @Override
    public String processor() {
        return "User Mode Linux";
    }

    /**
     * The command line of a machine.
     *
     * @param run the working directory of the process, with the sockets of the ports
     * @param memory the directory for the guest's memory
     */
    private List<String> boot(
            MachineSpec machine, RuntimeDirectory run, RuntimeDirectory memory, @Nullable NodeLink link)
            throws IOException {
        List<String> line = new ArrayList<>(List.of("setsid", "setpriv", "--pdeathsig", "KILL", "perl", LAUNCHER));
        run.turns().ifPresent(turns -> line.addAll(List.of("--turns", turns.toString())));
        Stream.concat(Stream.of(run.path(), memory.path()), machine.shares().stream())
                .forEach(directory -> line.addAll(List.of("--write", directory.toString())));
        if (link != null) {
            for (String mac : link.ethernetMacs()) {
                line.addAll(List.of("--network", link.ethernet().toString(), mac));
            }
            line.addAll(List.of("--network", link.control().toString(), link.controlMac()));
        }
        GuestMachine.Ports.NAMES.forEach(port -> line.addAll(List.of("--port", port)));
        line.addAll(List.of("--", image.kernel().toString(), "mem=" + machine.memoryMib() + "M"));
        line.addAll(KERNEL_ARGUMENTS);
        // For programs that count cycles.
        HostProcessor.read().megahertz().ifPresent(megahertz -> line.add("rdma4j.mhz=" + megahertz));
        line.addAll(machine.kernelWords(link));
        return line;
    }

    /**
     * The place of a guest's memory, a file without a name, which grows as the guest touches its memory and is mapped with
     * the right to execute: the first directory with enough room that allows execution. File systems in memory come first.
     */
    private static Path memoryDirectory(int mebibytes) throws TestbedException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        return choose(List.of(Path.of("/dev/shm"), temporary, Path.of("/var/tmp")), mebibytes, mounts());
    }

    private static List<String> mounts() throws TestbedException {
        try {
            return Files.readAllLines(Path.of("/proc/self/mounts"));
        } catch (IOException e) {
            throw new TestbedException("cannot read /proc/self/mounts: " + e.getMessage(), e);
        }
    }

    static Path choose(List<Path> candidates, int mebibytes, List<String> mounts) throws TestbedException {
        List<String> reasons = new ArrayList<>();
        for (Path candidate : candidates) {
            String reason = objection(candidate, mebibytes, mounts);
            if (reason.isEmpty()) {
                return candidate;
            }
            reasons.add(candidate + " " + reason);
        }
        throw new TestbedException("there is no place for the guest's memory of " + mebibytes + " MiB ("
                + String.join(", ", reasons) + "): make room, use a smaller --memory, or name a directory in"
                + " JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR");
    }

    private static String objection(Path directory, int mebibytes, List<String> mounts) {
        try {
            if (!Files.isWritable(directory)) {
                return "cannot be written";
            }
            if (isNoExecution(directory.toRealPath(), mounts)) {
                return "is mounted noexec";
            }
            long free = Files.getFileStore(directory).getUsableSpace() >> 20;
            return free < mebibytes ? "has " + free + " MiB left" : "";
        } catch (IOException e) {
            return "cannot be looked at";
        }
    }

    /** The mount with the longest path counts, and the last of several mounts at one path. */
    static boolean isNoExecution(Path directory, List<String> mounts) {
        Path longest = Path.of("/");
        boolean found = false;
        for (String mount : mounts) {
            String[] fields = mount.split(" ", -1);
            Path point = Path.of(fields[1].replace("\\040", " "));
            if (directory.startsWith(point) && point.getNameCount() >= longest.getNameCount()) {
                longest = point;
                found = List.of(fields[3].split(",", -1)).contains(NO_EXECUTION);
            }
        }
        return found;
    }
}
