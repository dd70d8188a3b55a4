// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.machine.GuestMachine;
import io.github.rdma4j.testbed.machine.GuestPorts;
import io.github.rdma4j.testbed.machine.Hypervisor;
import io.github.rdma4j.testbed.machine.Machine;
import io.github.rdma4j.testbed.machine.NodeLink;
import io.github.rdma4j.testbed.machine.RuntimeDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Guests in QEMU.
 *
 * @param image the kernel that they boot
 * @param accelerator what runs their instructions
 */
public record QemuHypervisor(KernelImage image, Accelerator accelerator) implements Hypervisor {
    /** Fails if QEMU is not installed, before anything is downloaded for it. */
    public static void requireProgram(Map<String, String> environment) throws TestbedException {
        if (Tool.locate(QemuCommandLine.PROGRAM, environment.getOrDefault("PATH", ""))
                .isEmpty()) {
            throw new TestbedException("there is no QEMU (" + QemuCommandLine.PROGRAM + " is not in the PATH): install"
                    + " Debian's qemu-system-x86, or build the kernel of a guest that needs no QEMU:"
                    + " ./rdma4j testbed setup --on uml");
        }
    }

    @Override
    public GuestMachine start(Machine machine, @Nullable NodeLink link) throws TestbedException, InterruptedException {
        try (RuntimeDirectory run = RuntimeDirectory.create()) {
            GuestPorts ports = new GuestPorts(run);
            ProcessBuilder builder = new ProcessBuilder(QemuCommandLine.boot(image, accelerator, machine, run, link));
            return GuestMachine.start(name(), builder, ports);
        } catch (IOException e) {
            throw new TestbedException("cannot make the sockets for QEMU: " + e.getMessage(), e);
        }
    }

    @Override
    public String name() {
        return "QEMU";
    }

    @Override
    public String kernelVersion() {
        return image.version();
    }

    @Override
    public String processor() {
        return accelerator.name();
    }

    @Override
    public Path modules() {
        return image.modules();
    }
}
