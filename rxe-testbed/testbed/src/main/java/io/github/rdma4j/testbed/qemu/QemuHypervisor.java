// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import io.github.rdma4j.testbed.image.Architecture;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.image.UnpackedPackage;
import io.github.rdma4j.testbed.machine.Devices;
import io.github.rdma4j.testbed.machine.GuestMachine;
import io.github.rdma4j.testbed.machine.Hypervisor;
import io.github.rdma4j.testbed.machine.MachineEndException;
import io.github.rdma4j.testbed.machine.MachineSpec;
import io.github.rdma4j.testbed.machine.NodeLink;
import io.github.rdma4j.testbed.machine.RuntimeDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Guests in QEMU. */
public final class QemuHypervisor implements Hypervisor {
    /** The limit from a snapshot to the guest's first word; an idle machine needs 0.1 s. */
    private static final int RESUME_SECONDS = 30;

    /** The limit of the watchdog for other guests. */
    private static final int BOOT_SECONDS = 90;

    private final KernelImage image;
    private final Accelerator accelerator;
    private final Snapshots snapshots;
    private final String path;

    /**
     * Guests of one kernel.
     *
     * @param image the guests' kernel
     * @param accelerator the executor of their instructions
     * @param cache the cache for snapshots of guests
     * @param environment with QEMU in its PATH
     */
    public QemuHypervisor(
            KernelImage image, Accelerator accelerator, CacheDirectory cache, Map<String, String> environment) {
        this.image = image;
        this.accelerator = accelerator;
        this.snapshots = Snapshots.of(QemuCommandLine.program(image.architecture()), cache, environment);
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
            Optional<String> name = link == null ? snapshotName(machine) : Optional.empty();
            if (name.isEmpty()) {
                return start(QemuCommandLine.boot(image, accelerator, machine, run.path(), link), run.path());
            }
            Optional<Path> snapshot = snapshots.find(name.get());
            GuestMachine resumed = snapshot.isPresent() ? resumed(machine, run.path(), snapshot.get()) : null;
            if (resumed == null && snapshot.isPresent()) {
                snapshots.discard(name.get());
            }
            return resumed == null ? booted(machine, run.path(), name.get()) : resumed;
        } catch (IOException e) {
            throw new TestbedException("cannot make the sockets for QEMU: " + RuntimeDirectory.problem(e), e);
        }
    }

    /**
     * No snapshot for one of several nodes, whose devices have different addresses, for QEMU's RDMA device, which
     * cannot be saved, for kernel arguments, which concern the boot, and with KVM, where booting is quick.
     */
    private Optional<String> snapshotName(MachineSpec machine) throws IOException {
        if (accelerator != Accelerator.TCG
                || machine.devices() == Devices.PVRDMA
                || !machine.kernelArguments().isEmpty()) {
            return Optional.empty();
        }
        // The guest learns the directories later.
        List<Path> anyShares = Collections.nCopies(machine.shares().size(), Path.of("/"));
        return snapshots.name(
                QemuCommandLine.bootAndWait(image, accelerator, machine.withShares(anyShares), Path.of("/")));
    }

    private GuestMachine start(List<String> line, Path run) throws TestbedException, InterruptedException, IOException {
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().put("PATH", path);
        return GuestMachine.start(name(), builder, new GuestMachine.Ports(run));
    }

    /** Returns null if no guest starts from the snapshot. */
    private @Nullable GuestMachine resumed(MachineSpec machine, Path run, Path snapshot)
            throws TestbedException, InterruptedException {
        List<String> line = new ArrayList<>(QemuCommandLine.bootAndWait(image, accelerator, machine, run));
        line.addAll(QemuMonitor.load(snapshot));
        try {
            GuestMachine guest = start(line, run);
            return prepared(guest, RESUME_SECONDS, () -> new WaitingGuest(guest).resume());
        } catch (IOException | MachineEndException e) {
            // The snapshot is damaged, or this QEMU cannot read it. QEMU may find out before the ports are accepted.
            return null;
        }
    }

    /** Boots a guest and saves a snapshot of it if possible. */
    private GuestMachine booted(MachineSpec machine, Path run, String name)
            throws TestbedException, InterruptedException, IOException {
        List<String> line = new ArrayList<>(QemuCommandLine.bootAndWait(image, accelerator, machine, run));
        try (QemuMonitor monitor = new QemuMonitor(run)) {
            // QEMU connects in this order, so the monitor is connected when the ports are.
            line.addAll(line.indexOf("-append"), monitor.options());
            GuestMachine guest = start(line, run);
            return prepared(guest, BOOT_SECONDS, () -> {
                try {
                    WaitingGuest waiting = new WaitingGuest(guest);
                    waiting.awaitBoot();
                    keep(monitor, waiting, name);
                    waiting.resume();
                } catch (IOException e) {
                    // The guest has ended; the code that reads from it reports the reason.
                    return;
                }
            });
        }
    }

    /** The steps before a guest can be used. */
    interface Preparation {
        void run() throws IOException, InterruptedException;
    }

    /**
     * Returns the guest after its preparation, which has a limit in seconds. A guest whose preparation fails is ended.
     */
    static GuestMachine prepared(GuestMachine guest, int seconds, Preparation preparation)
            throws IOException, InterruptedException {
        Thread limit = limit(guest, seconds);
        boolean done = false;
        try {
            preparation.run();
            done = true;
            return guest;
        } finally {
            limit.interrupt();
            if (!done) {
                guest.close();
            }
        }
    }

    private void keep(QemuMonitor monitor, WaitingGuest guest, String name) throws IOException, InterruptedException {
        try {
            if (guest.hasTrueClock()) {
                snapshots.keep(name, monitor::save);
            }
        } catch (TestbedException e) {
            // For example without space. The guest runs on, and the next guest boots too.
            return;
        }
    }

    private static Thread limit(GuestMachine guest, int seconds) {
        return Daemon.start("boot-limit", () -> {
            try {
                Thread.sleep(seconds * 1000L);
                guest.process().killLate("the guest did not boot within " + seconds + " s");
            } catch (InterruptedException e) {
                // It has booted.
                return;
            }
        });
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
