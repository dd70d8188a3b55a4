// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

import io.github.rdma4j.testbed.host.HostProcessor;
import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.image.Workshop;
import io.github.rdma4j.testbed.machine.MachineProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Decides whether guests can use KVM. A device file does not prove it; only a guest that ran does. */
public final class KvmProbe {
    /** The file of the machine's KVM. */
    public static final Path DEVICE = Path.of("/dev/kvm");

    private static final int LIMIT_SECONDS = 5;

    private KvmProbe() {}

    /**
     * Returns the value of {@code RDMA4J_ACCEL}, otherwise the remembered result of a probe, otherwise the result of a
     * new probe.
     */
    public static QemuHypervisor.Accelerator choose(KernelImage image, Workshop shop)
            throws TestbedException, InterruptedException {
        if (!image.architecture().isOfThisMachine()) {
            return QemuHypervisor.Accelerator.TCG;
        }
        String wanted = shop.environment().getOrDefault("RDMA4J_ACCEL", "").toUpperCase(Locale.ROOT);
        if (!wanted.isEmpty()) {
            try {
                return QemuHypervisor.Accelerator.valueOf(wanted);
            } catch (IllegalArgumentException e) {
                throw new TestbedException("RDMA4J_ACCEL is neither kvm nor tcg: " + wanted, e);
            }
        }
        if (!Files.isReadable(DEVICE) || !Files.isWritable(DEVICE)) {
            return QemuHypervisor.Accelerator.TCG;
        }
        try {
            String name = "accelerator-" + machine(image);
            if (!shop.cache().canHold(name)) {
                return probed(image, shop.progress());
            }
            Path answer = shop.cache()
                    .entry(
                            name,
                            target -> Files.writeString(
                                    target, probed(image, shop.progress()).name()));
            return QemuHypervisor.Accelerator.valueOf(Files.readString(answer));
        } catch (IOException | IllegalArgumentException e) {
            throw new TestbedException("cannot read the remembered accelerator: " + e.getMessage(), e);
        }
    }

    /** Advice if this machine has KVM and this user cannot use it; empty otherwise. */
    public static Optional<String> hint(Path device) {
        if (!Files.exists(device) || (Files.isReadable(device) && Files.isWritable(device))) {
            return Optional.empty();
        }
        return Optional.of(
                "this machine has " + device + ", but this user may not open it, so QEMU emulates the guests,"
                        + " which is ten times slower. Add the user to the group of the file (sudo usermod -aG kvm USER) and log"
                        + " in again");
    }

    private static QemuHypervisor.Accelerator probed(KernelImage image, Progress progress)
            throws TestbedException, InterruptedException {
        progress.step("trying whether KVM runs here");
        return runs(image) ? QemuHypervisor.Accelerator.KVM : QemuHypervisor.Accelerator.TCG;
    }

    // The result depends on both kernels, the processor and QEMU.
    private static String machine(KernelImage image) throws IOException {
        String processor = HostProcessor.read().description();
        String host = Files.readString(Path.of("/proc/version"));
        Path qemu = Path.of("/usr/bin", QemuHypervisor.PROGRAM);
        String emulator = Files.exists(qemu) ? Files.getLastModifiedTime(qemu).toString() : "";
        return Integer.toHexString((image.version() + host + processor + emulator).hashCode());
    }

    private static boolean runs(KernelImage image) throws TestbedException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(QemuHypervisor.probe(image));
        try (MachineProcess qemu = MachineProcess.start("QEMU", builder, () -> {})) {
            boolean ended = qemu.awaitExit(LIMIT_SECONDS);
            qemu.kill();
            qemu.await();
            return ended && qemu.console().tail().contains("rdma4j-probe-passed");
        }
    }
}
