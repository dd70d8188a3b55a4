// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.KernelVm.GuestSignals;
import io.github.rdma4j.testbed.guest.GuestCommand;
import io.github.rdma4j.testbed.guest.GuestResult;
import io.github.rdma4j.testbed.guest.GuestStreams;
import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.KernelRelease;
import io.github.rdma4j.testbed.qemu.DeviceFiles;
import io.github.rdma4j.testbed.qemu.Devices;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Runs a JVM in a guest, for the test engine. */
public final class GuestLauncher {
    /** A JVM that compiles so replaces no code that runs, so that emulated processors may run at the same time. */
    private static final List<String> EMULATED = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final KernelVm vm;
    private final Devices devices;
    private final DeviceFiles files;

    private GuestLauncher(KernelVm vm, Devices devices, DeviceFiles files) {
        this.vm = vm;
        this.devices = devices;
        this.files = files;
    }

    /**
     * Makes ready what the guest takes, which downloads the kernel the first time.
     *
     * @param kernel the kernel's series; empty for the default
     * @param device the name of a constant of {@link Devices}
     */
    public static GuestLauncher prepare(String kernel, String device) throws TestbedException, InterruptedException {
        KernelRelease release = kernel.isEmpty() ? KernelRelease.DEFAULT : KernelRelease.of(kernel);
        Progress progress = Progress.onStandardError();
        KernelVm vm = KernelVm.prepare(release, progress);
        Devices devices = Devices.valueOf(device);
        return new GuestLauncher(vm, devices, vm.deviceFiles(devices, release, progress));
    }

    /** Options for a JVM in this guest. */
    public List<String> jvmOptions() {
        return vm.accelerator().equals("KVM") ? List.of("-XX:+UseSerialGC") : EMULATED;
    }

    /**
     * Runs a command to its end; an interruption ends the guest.
     *
     * @param memoryMib the memory of each guest; 0 for the default
     */
    public GuestResult run(List<String> words, int nodes, int memoryMib, GuestStreams streams)
            throws TestbedException, InterruptedException {
        GuestCommand.Builder command = GuestCommand.of(words.toArray(String[]::new));
        command.devices(devices).deviceFiles(files).parallel(true);
        if (memoryMib != 0) {
            command.memoryMib(memoryMib);
        }
        String shares = System.getenv().getOrDefault("RDMA4J_TESTBED_SHARE", "");
        Stream.of(shares.split(File.pathSeparator))
                .filter(share -> !share.isEmpty())
                .map(Path::of)
                .forEach(command::share);
        return nodes == 1
                ? vm.run(command.build(), streams, new GuestSignals())
                : vm.runNodes(command.build(), nodes, null, streams, new GuestSignals());
    }
}
