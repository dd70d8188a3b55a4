// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.uml;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.machine.GuestMachine;
import io.github.rdma4j.testbed.machine.GuestPorts;
import io.github.rdma4j.testbed.machine.Hypervisor;
import io.github.rdma4j.testbed.machine.Machine;
import io.github.rdma4j.testbed.machine.NodeLink;
import io.github.rdma4j.testbed.machine.RuntimeDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Guests in User Mode Linux.
 *
 * @param image the kernel that they boot, a program of this machine
 */
public record UmlHypervisor(KernelImage image) implements Hypervisor {
    @Override
    public GuestMachine start(Machine machine, @Nullable NodeLink link) throws TestbedException, InterruptedException {
        Path place = GuestMemory.directory(machine.memoryMib());
        try (RuntimeDirectory run = RuntimeDirectory.create();
                RuntimeDirectory memory = RuntimeDirectory.createIn(place)) {
            Path launcher = run.resolve(UmlCommandLine.LAUNCHER);
            try (InputStream program = UmlHypervisor.class.getResourceAsStream(UmlCommandLine.LAUNCHER)) {
                Files.copy(Objects.requireNonNull(program, "no launch.pl on the class path"), launcher);
            }
            Files.createSymbolicLink(run.resolve(UmlCommandLine.INITRAMFS), image.initramfs());
            Path directory = Objects.requireNonNull(launcher.toAbsolutePath().getParent());
            ProcessBuilder builder = new ProcessBuilder(UmlCommandLine.boot(image, machine, run, memory, link))
                    .directory(directory.toFile())
                    .redirectInput(Path.of("/dev/null").toFile());
            builder.environment().clear();
            builder.environment().put("TMPDIR", memory.path().toString());
            // User Mode Linux keeps its process id there.
            builder.environment().put("HOME", directory.toString());
            GuestMachine guest = GuestMachine.start(name(), builder, new GuestPorts(run.path()));
            guest.awaitFirstWord();
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
    public String kernelVersion() {
        return image.version();
    }

    @Override
    public String processor() {
        return "User Mode Linux";
    }

    @Override
    public Path modules() {
        return image.modules();
    }
}
