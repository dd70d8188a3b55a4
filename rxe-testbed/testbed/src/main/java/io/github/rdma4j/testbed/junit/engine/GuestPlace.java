// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.exec.ExecClient;
import io.github.rdma4j.testbed.guest.GuestCommand;
import io.github.rdma4j.testbed.guest.GuestSession;
import io.github.rdma4j.testbed.guest.KernelVm;
import io.github.rdma4j.testbed.guest.NodeGroup;
import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.KernelRelease;
import io.github.rdma4j.testbed.machine.Devices;
import io.github.rdma4j.testbed.machine.GuestFailureException;
import io.github.rdma4j.testbed.machine.MachineSpec;
import io.github.rdma4j.testbed.machine.NodeLink;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** Starts the JVM in a guest of the testbed. */
final class GuestPlace implements WorkerPlace {
    /** With these options a JVM replaces no running code, so emulated processors can run at the same time. */
    private static final List<String> EMULATED = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static final List<String> AT_FULL_SPEED = List.of("-XX:+UseSerialGC");

    @Override
    public Running start(GuestSpec spec, JvmCommand command) throws TestbedException, InterruptedException {
        KernelRelease release = spec.kernel().isEmpty() ? KernelRelease.DEFAULT : KernelRelease.of(spec.kernel());
        Devices devices = Devices.valueOf(spec.device().name());
        KernelVm vm = KernelVm.prepare(spec.backend() == Backend.UML, release, false, Progress.onStandardError());
        List<String> tuning = new ArrayList<>(vm.accelerator().equals("TCG") ? EMULATED : AT_FULL_SPEED);
        OptionalInt debugger = DebuggedJvm.wantedPort();
        if (debugger.isPresent()) {
            tuning.addAll(DebuggedJvm.options());
        }
        List<String> words = command.on(release.architecture()).words(tuning);
        List<String> first = debugger.isPresent() ? ExecClient.serverCommandLine() : words;
        MachineSpec machine = new MachineSpec(
                spec.memoryMib() == 0 ? MachineSpec.DEFAULT_MEMORY_MIB : spec.memoryMib(),
                MachineSpec.DEFAULT_CPUS,
                devices,
                vm.deviceFiles(devices),
                shares(),
                NodeLink.kernelArguments(spec.ports()),
                true);
        try {
            Running running = new Guest(
                    vm, GuestCommand.of(machine, first), new NodeGroup.Network(spec.nodes(), null, spec.ports(), 1));
            return debugger.isPresent() ? DebuggedJvm.start(running, words, debugger.getAsInt()) : running;
        } catch (IOException e) {
            throw new TestbedException("cannot make the pipes for the guest: " + e.getMessage(), e);
        }
    }

    /** The directories of this machine that the tests can change. */
    private static List<Path> shares() {
        String shares = System.getenv().getOrDefault("RDMA4J_TESTBED_SHARE", "");
        return Stream.of(shares.split(File.pathSeparator))
                .filter(share -> !share.isEmpty())
                .map(share -> Path.of(share).toAbsolutePath())
                .toList();
    }

    private static final class Guest implements Running {
        private final Pipe input = Pipe.open();
        private final Pipe output = Pipe.open();
        private final Pipe error = Pipe.open();
        private final CompletableFuture<End> end = new CompletableFuture<>();
        private final Thread thread;

        Guest(KernelVm vm, GuestCommand command, NodeGroup.Network network) throws IOException {
            // QEMU ends with the thread that started it, so the thread lives as long as the guest.
            thread = Daemon.start("guest", () -> end.complete(run(vm, command, network)));
        }

        private End run(KernelVm vm, GuestCommand command, NodeGroup.Network network) {
            try (OutputStream out = Channels.newOutputStream(output.sink());
                    OutputStream err = Channels.newOutputStream(error.sink());
                    InputStream in = Channels.newInputStream(input.source())) {
                GuestSession.Streams streams = new GuestSession.Streams(in, out, err);
                GuestSession.Result result = vm.run(command, network, streams, new AtomicReference<>());
                return End.ofJvm(result.status(), result.crashReports());
            } catch (GuestFailureException e) {
                return new End(
                        String.valueOf(e.getMessage()), e.kernelLines().lines().toList());
            } catch (TestbedException | IOException e) {
                return new End(String.valueOf(e.getMessage()), List.of());
            } catch (InterruptedException e) {
                return new End("the guest was ended", List.of());
            } catch (RuntimeException | Error e) {
                return new End("the testbed failed: " + e, List.of());
            }
        }

        @Override
        public Streams streams() {
            return new Streams(
                    Channels.newOutputStream(input.sink()),
                    Channels.newInputStream(output.source()),
                    Channels.newInputStream(error.source()));
        }

        @Override
        public End awaitEnd() throws InterruptedException {
            try {
                return end.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void kill() {
            thread.interrupt();
        }
    }
}
