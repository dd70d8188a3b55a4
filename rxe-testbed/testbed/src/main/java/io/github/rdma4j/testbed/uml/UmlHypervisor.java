// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.uml;

import io.github.rdma4j.testbed.host.HostProcessor;
import io.github.rdma4j.testbed.host.Resource;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.machine.Devices;
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
import java.util.Locale;
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

    @Override
    public GuestMachine start(MachineSpec machine, @Nullable NodeLink link)
            throws TestbedException, InterruptedException {
        Path place = GuestMemory.directory(machine.memoryMib());
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
        if (machine.devices() != Devices.RXE) {
            line.add("rdma4j.devices=" + machine.devices().name().toLowerCase(Locale.ROOT));
        }
        line.addAll(machine.files().kernelArguments());
        if (link != null) {
            line.add("rdma4j.node=" + link.node());
        }
        line.addAll(machine.kernelArguments());
        return line;
    }
}
