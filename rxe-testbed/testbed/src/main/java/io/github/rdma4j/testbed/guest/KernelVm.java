// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.BuiltModule;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.image.KernelRelease;
import io.github.rdma4j.testbed.image.UmlKernel;
import io.github.rdma4j.testbed.image.UnpackedPackage;
import io.github.rdma4j.testbed.image.Workshop;
import io.github.rdma4j.testbed.machine.Devices;
import io.github.rdma4j.testbed.machine.GuestFailureException;
import io.github.rdma4j.testbed.machine.Hypervisor;
import io.github.rdma4j.testbed.qemu.KvmProbe;
import io.github.rdma4j.testbed.qemu.PvrdmaBackend;
import io.github.rdma4j.testbed.qemu.QemuHypervisor;
import io.github.rdma4j.testbed.uml.UmlHypervisor;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Boots guests. The guest's root file system is the root of this machine, read-only, under a layer in memory that takes
 * all writes. A command finds the same files at the same paths, and changes files of this machine only in a share.
 *
 * <p>Thread-safe; guests of several threads run side by side.
 */
public final class KernelVm {
    private final Hypervisor hypervisor;
    private final KernelRelease release;
    private final Workshop shop;

    private KernelVm(Hypervisor hypervisor, KernelRelease release, Workshop shop) {
        this.hypervisor = hypervisor;
        this.release = release;
        this.shop = shop;
    }

    /**
     * Prepares guests. The first use of a kernel for QEMU downloads it, which takes a minute.
     *
     * @param uml whether the guests run in User Mode Linux, whose kernel must be in the cache, and not in QEMU
     * @param release the kernel for QEMU
     * @param thorough whether to read every file in the cache and to replace damaged files, and to build a missing kernel
     *     of User Mode Linux, which takes minutes
     * @throws TestbedException if a kernel or a program is missing; the message says what to do
     */
    public static KernelVm prepare(boolean uml, KernelRelease release, boolean thorough, Progress progress)
            throws TestbedException, InterruptedException {
        requireProcessor();
        Workshop shop = Workshop.ofThisProcess(progress);
        Hypervisor hypervisor;
        if (!uml) {
            String path = QemuHypervisor.pathWithProgram(release.architecture(), shop);
            KernelImage image = KernelImage.of(release, thorough, shop);
            hypervisor = new QemuHypervisor(image, KvmProbe.choose(image, shop), path);
        } else {
            hypervisor = new UmlHypervisor(thorough ? UmlKernel.build(shop) : UmlKernel.find(shop));
        }
        progress.finish();
        return new KernelVm(hypervisor, release, shop);
    }

    private static void requireProcessor() throws TestbedException {
        String architecture = System.getProperty("os.arch");
        if (!architecture.equals("amd64")) {
            throw new TestbedException("the testbed runs on amd64 machines only, this is " + architecture);
        }
    }

    /**
     * Prepares the files of the guest's devices. The first use builds modules, which takes a minute, or downloads the
     * subnet manager.
     */
    public Devices.Files deviceFiles(Devices devices) throws TestbedException, InterruptedException {
        BuiltModule module = devices.module();
        if (module != null && !release.architecture().isOfThisMachine()) {
            throw new TestbedException("guests with kernel " + release.label() + " have the device rxe only");
        }
        boolean qemu = hypervisor instanceof QemuHypervisor;
        Devices.Files files = new Devices.Files(
                qemu && module != null ? module.prepare(release, hypervisor.image(), shop) : null,
                qemu && devices == Devices.PVRDMA ? PvrdmaBackend.prepare(shop) : null,
                devices == Devices.IB ? subnetManager() : null);
        shop.progress().finish();
        return files;
    }

    private Path subnetManager() throws TestbedException, InterruptedException {
        UnpackedPackage.Kind kind = UnpackedPackage.Kind.OPENSM;
        Optional<UnpackedPackage> known = UnpackedPackage.find(kind, shop.environment());
        return (known.isPresent() ? known.get() : UnpackedPackage.prepare(kind, shop)).home();
    }

    /**
     * Runs a command to its end in the first of new guests. Several guests are on one virtual Ethernet: node N has the
     * addresses 10.77.0.N and fd77::N, and the command reaches the other nodes with {@code testbed-node N -- COMMAND}.
     * All guests have ended when this method returns or throws, also after an interruption.
     *
     * @param network 1 to 8 guests; each has the memory, processors and shares of the command
     * @param running gets the first guest as long as it runs, for signals from another thread
     * @throws GuestFailureException if a guest failed, as opposed to the command
     */
    public GuestSession.Result run(
            GuestCommand command,
            NodeGroup.Network network,
            GuestSession.Streams streams,
            AtomicReference<@Nullable GuestSession> running)
            throws TestbedException, InterruptedException {
        List<GuestCommand> commands = NodeGroup.commands(command, network.nodes());
        try (NodeGroup group = NodeGroup.launch(hypervisor, commands, network)) {
            running.set(group.first());
            return group.run(streams);
        } finally {
            running.set(null);
        }
    }

    /** Powers on a guest for each command; the caller runs the commands and closes the group. */
    public NodeGroup launch(List<GuestCommand> commands, NodeGroup.Network network)
            throws TestbedException, InterruptedException {
        return NodeGroup.launch(hypervisor, commands, network);
    }

    /** Powers on one guest among those of other processes; the caller runs the command and closes the group. */
    public NodeGroup launch(GuestCommand command, NodeGroup.Membership membership)
            throws TestbedException, InterruptedException {
        return NodeGroup.launch(hypervisor, command, membership);
    }

    /** The kernel's full version, such as {@code 6.1.0-50-amd64}. */
    public String kernelVersion() {
        return hypervisor.image().version();
    }

    /** The executor of the guest's instructions: {@code KVM}, {@code TCG} or {@code User Mode Linux}. */
    public String accelerator() {
        return hypervisor.processor();
    }
}
