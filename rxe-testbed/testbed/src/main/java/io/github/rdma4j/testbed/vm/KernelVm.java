// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.vm;

import io.github.rdma4j.testbed.guest.GuestCommand;
import io.github.rdma4j.testbed.guest.GuestFailureException;
import io.github.rdma4j.testbed.guest.GuestResult;
import io.github.rdma4j.testbed.guest.GuestSession;
import io.github.rdma4j.testbed.guest.GuestStreams;
import io.github.rdma4j.testbed.guest.Membership;
import io.github.rdma4j.testbed.guest.NodeGroup;
import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.BuiltModule;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.image.KernelRelease;
import io.github.rdma4j.testbed.image.UmlKernel;
import io.github.rdma4j.testbed.machine.DeviceFiles;
import io.github.rdma4j.testbed.machine.Devices;
import io.github.rdma4j.testbed.machine.Hypervisor;
import io.github.rdma4j.testbed.qemu.Accelerator;
import io.github.rdma4j.testbed.qemu.KvmProbe;
import io.github.rdma4j.testbed.qemu.PvrdmaBackend;
import io.github.rdma4j.testbed.qemu.QemuHypervisor;
import io.github.rdma4j.testbed.uml.UmlHypervisor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Boots a guest for one command at a time. The guest's root file system is this machine's, read-only, under a layer in
 * memory that takes all writes: the command finds the same programs and files at the same paths, and nothing it does
 * reaches this machine except through a share.
 *
 * <p>Thread-safe; guests of several threads run side by side.
 */
public final class KernelVm {
    private final Hypervisor hypervisor;

    private KernelVm(Hypervisor hypervisor) {
        this.hypervisor = hypervisor;
    }

    /** Makes ready what booting this kernel takes; the first time it downloads the kernel, which takes a minute. */
    public static KernelVm prepare(KernelRelease release, Progress progress)
            throws TestbedException, InterruptedException {
        return prepare(release, false, progress);
    }

    /** As {@link #prepare(KernelRelease, Progress)}; also reads every file in the cache and replaces damaged files. */
    public static KernelVm prepareThoroughly(KernelRelease release, Progress progress)
            throws TestbedException, InterruptedException {
        return prepare(release, true, progress);
    }

    private static KernelVm prepare(KernelRelease release, boolean thorough, Progress progress)
            throws TestbedException, InterruptedException {
        requireProcessor();
        Map<String, String> environment = System.getenv();
        QemuHypervisor.requireProgram(environment);
        CacheDirectory cache = CacheDirectory.of(environment);
        KernelImage image = KernelImage.of(release, cache, environment, thorough, progress);
        Accelerator accelerator = KvmProbe.choose(image, cache, environment, progress);
        progress.finish();
        return new KernelVm(new QemuHypervisor(image, accelerator, cache, environment));
    }

    private static void requireProcessor() throws TestbedException {
        String architecture = System.getProperty("os.arch");
        if (!architecture.equals("amd64")) {
            throw new TestbedException("the testbed runs amd64 guests on amd64 machines only, this is " + architecture);
        }
    }

    /**
     * Guests in User Mode Linux. Their kernel must be in the cache.
     *
     * @throws TestbedException if the kernel has not been built; the message says how to build it
     */
    public static KernelVm userModeLinux(Progress progress) throws TestbedException, InterruptedException {
        requireProcessor();
        KernelImage image = UmlKernel.find(CacheDirectory.of(System.getenv()), progress);
        progress.finish();
        return new KernelVm(new UmlHypervisor(image));
    }

    /**
     * Guests in User Mode Linux. If the kernel is not in the cache, takes it from an archive, or builds it, which takes
     * minutes.
     */
    public static KernelVm userModeLinuxThoroughly(@Nullable Path archive, Progress progress)
            throws TestbedException, InterruptedException {
        requireProcessor();
        Map<String, String> environment = System.getenv();
        CacheDirectory cache = CacheDirectory.of(environment);
        KernelImage image = archive == null
                ? UmlKernel.build(cache, environment, progress)
                : UmlKernel.take(archive, cache, progress);
        progress.finish();
        return new KernelVm(new UmlHypervisor(image));
    }

    /** Makes ready what the guest's devices take beside the kernel; the first time modules are built, which takes a minute. */
    public DeviceFiles deviceFiles(Devices devices, KernelRelease release, Progress progress)
            throws TestbedException, InterruptedException {
        DeviceFiles files = DeviceFiles.NONE;
        BuiltModule module = devices.module();
        if (module != null && hypervisor instanceof QemuHypervisor qemu) {
            Map<String, String> environment = System.getenv();
            CacheDirectory cache = CacheDirectory.of(environment);
            Path backend = devices == Devices.PVRDMA ? PvrdmaBackend.prepare(cache, progress) : null;
            files = new DeviceFiles(module.prepare(release, qemu.image(), cache, environment, progress), backend);
        }
        progress.finish();
        return files;
    }

    /** As {@link #run(GuestCommand, GuestStreams, GuestSignals)} without signals. */
    public GuestResult run(GuestCommand command, GuestStreams streams) throws TestbedException, InterruptedException {
        return run(command, streams, new GuestSignals());
    }

    /**
     * Runs a command to its end in a new guest. The guest has ended when this method returns or throws, also after an interruption.
     *
     * @throws GuestFailureException if the guest failed, as opposed to the command
     */
    public GuestResult run(GuestCommand command, GuestStreams streams, GuestSignals signals)
            throws TestbedException, InterruptedException {
        try (GuestSession session = GuestSession.launch(hypervisor, command, null)) {
            signals.attach(session);
            return session.run(streams);
        } finally {
            signals.attach(null);
        }
    }

    /**
     * Runs a command in the first of several guests on one virtual Ethernet. Node N has the addresses 10.77.0.N and
     * fd77::N; its command reaches the other nodes with {@code testbed-node N -- COMMAND}. All guests are gone when this
     * returns or throws.
     *
     * @param nodes how many guests, 2 to 8; each gets the memory, processors and shares of the command
     * @param capture a file that takes every frame of the Ethernet, in the format of libpcap; null for none
     * @throws GuestFailureException if one of the guests failed, as opposed to the command
     */
    public GuestResult runNodes(
            GuestCommand command, int nodes, @Nullable Path capture, GuestStreams streams, GuestSignals signals)
            throws TestbedException, InterruptedException {
        try (NodeGroup group = NodeGroup.launch(hypervisor, command, nodes, capture)) {
            signals.attach(group.first());
            return group.run(streams);
        } finally {
            signals.attach(null);
        }
    }

    /** Powers on a guest for each command; the caller runs the commands and closes the group. */
    public NodeGroup launch(List<GuestCommand> commands) throws TestbedException, InterruptedException {
        return NodeGroup.launch(hypervisor, commands);
    }

    /** Powers on one guest among those of other processes; the caller runs the command and closes the group. */
    public NodeGroup launch(GuestCommand command, Membership membership) throws TestbedException, InterruptedException {
        return NodeGroup.launch(hypervisor, command, membership);
    }

    /** The kernel's full version, such as {@code 6.1.0-50-amd64}. */
    public String kernelVersion() {
        return hypervisor.kernelVersion();
    }

    /** What runs the guest's instructions, {@code KVM}, {@code TCG} or {@code User Mode Linux}. */
    public String accelerator() {
        return hypervisor.processor();
    }

    /** Sends signals to the command that a {@link KernelVm} runs, from another thread. */
    public static final class GuestSignals {
        private final AtomicReference<@Nullable GuestSession> session = new AtomicReference<>();

        void attach(@Nullable GuestSession running) {
            session.set(running);
        }

        /**
         * Sends a signal to the command's process, or to its process group as a terminal would.
         *
         * @return false if no command has been started yet
         */
        public boolean send(int number, boolean toGroup) {
            GuestSession running = session.get();
            return running != null && running.signal(number, toGroup);
        }
    }
}
