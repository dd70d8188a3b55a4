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
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Guests in QEMU. */
public final class QemuHypervisor implements Hypervisor {
    private final KernelImage image;
    private final Accelerator accelerator;
    private final String path;

    /**
     * Guests of one kernel.
     *
     * @param image the guests' kernel
     * @param accelerator the executor of their instructions
     * @param environment with QEMU in its PATH
     */
    public QemuHypervisor(KernelImage image, Accelerator accelerator, Map<String, String> environment) {
        this.image = image;
        this.accelerator = accelerator;
        this.path = environment.getOrDefault("PATH", "");
    }

    /**
     * Returns the environment with a PATH in which there is QEMU for a processor. Fails if QEMU is not installed; call this method
     * before a download. QEMU for arm64 is unpacked into the cache if it is not installed.
     */
    public static Map<String, String> withProgram(
            Architecture architecture, CacheDirectory cache, Map<String, String> environment, Progress progress)
            throws TestbedException, InterruptedException {
        if (architecture.isOfThisMachine()) {
            requireProgram(environment);
            return environment;
        }
        String path = environment.getOrDefault("PATH", "");
        if (Tool.locate(QemuCommandLine.program(architecture), path).isPresent()) {
            return environment;
        }
        try {
            UnpackedPackage unpacked =
                    UnpackedPackage.prepare(UnpackedPackage.Kind.QEMU_ARM, cache, environment, progress);
            Map<String, String> extended = new HashMap<>(environment);
            extended.put("PATH", path + ":" + unpacked.path());
            return extended;
        } catch (Tool.FailureException e) {
            throw new TestbedException(
                    "QEMU for arm64 does not run here: install Debian's qemu-system-arm; " + e.getMessage(), e);
        }
    }

    private static void requireProgram(Map<String, String> environment) throws TestbedException {
        if (Tool.locate(QemuCommandLine.PROGRAM, environment.getOrDefault("PATH", ""))
                .isEmpty()) {
            throw new TestbedException("there is no QEMU (" + QemuCommandLine.PROGRAM + " is not in the PATH): install"
                    + " Debian's qemu-system-x86, or build the kernel of a guest that needs no QEMU:"
                    + " ./rdma4j testbed setup --on uml");
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
    public KernelImage image() {
        return image;
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
