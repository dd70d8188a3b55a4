// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import io.github.rdma4j.testbed.image.Architecture;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.image.UnpackedPackage;
import io.github.rdma4j.testbed.machine.GuestMachine;
import io.github.rdma4j.testbed.machine.Hypervisor;
import io.github.rdma4j.testbed.machine.MachineSpec;
import io.github.rdma4j.testbed.machine.NodeLink;
import io.github.rdma4j.testbed.machine.RuntimeDirectory;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Guests in QEMU.
 *
 * @param image the guests' kernel
 * @param accelerator the executor of their instructions
 * @param path a PATH with QEMU in it
 */
public record QemuHypervisor(KernelImage image, Accelerator accelerator, String path) implements Hypervisor {
    /**
     * Returns a PATH in which there is QEMU for a processor. Fails if QEMU is not installed; call this method before a
     * download. QEMU for arm64 is unpacked into the cache if it is not installed.
     */
    public static String pathWithProgram(
            Architecture architecture, CacheDirectory cache, Map<String, String> environment, Progress progress)
            throws TestbedException, InterruptedException {
        String path = environment.getOrDefault("PATH", "");
        if (Tool.locate(QemuCommandLine.program(architecture), path).isPresent()) {
            return path;
        }
        if (architecture.isOfThisMachine()) {
            throw new TestbedException("there is no QEMU (" + QemuCommandLine.PROGRAM + " is not in the PATH): install"
                    + " Debian's qemu-system-x86, or build the kernel of a guest that needs no QEMU:"
                    + " ./rdma4j testbed setup --on uml");
        }
        try {
            UnpackedPackage unpacked =
                    UnpackedPackage.prepare(UnpackedPackage.Kind.QEMU_ARM, cache, environment, progress);
            return path + ":" + unpacked.path();
        } catch (Tool.FailureException e) {
            throw new TestbedException(
                    "QEMU for arm64 does not run here: install Debian's qemu-system-arm; " + e.getMessage(), e);
        }
    }

    @Override
    public GuestMachine start(MachineSpec machine, @Nullable NodeLink link)
            throws TestbedException, InterruptedException {
        try (RuntimeDirectory run = RuntimeDirectory.create()) {
            ProcessBuilder builder =
                    new ProcessBuilder(QemuCommandLine.boot(image, accelerator, machine, run.path(), link));
            builder.environment().put("PATH", path);
            return GuestMachine.start(name(), builder, new GuestMachine.Ports(run.path()));
        } catch (IOException e) {
            throw new TestbedException("cannot make the sockets for QEMU: " + RuntimeDirectory.problem(e), e);
        }
    }

    @Override
    public String name() {
        return "QEMU";
    }

    @Override
    public String processor() {
        return accelerator.name();
    }
}
