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
        MachineSpec machine = new MachineSpec(
                spec.memoryMib() == 0 ? MachineSpec.DEFAULT_MEMORY_MIB : spec.memoryMib(),
                MachineSpec.DEFAULT_CPUS,
                devices,
                vm.deviceFiles(devices),
                shares(),
                NodeLink.kernelArguments(spec.ports()),
                true);
        NodeGroup.Network network = new NodeGroup.Network(spec.nodes(), null, spec.ports(), 1);
        try {
            return debugger.isPresent()
                    ? DebuggedJvm.start(words, debugger.getAsInt(), (inside, outside) -> {
                        GuestCommand server = GuestCommand.of(machine, ExecClient.serverCommandLine());
                        return new Guest(vm, server, network, inside, outside);
                    })
                    : overPipes(vm, GuestCommand.of(machine, words), network);
        } catch (IOException e) {
            throw new TestbedException("cannot make the pipes for the guest: " + e.getMessage(), e);
        }
    }

    private static Running overPipes(KernelVm vm, GuestCommand command, NodeGroup.Network network) throws IOException {
        Pipe input = Pipe.open();
        Pipe output = Pipe.open();
        Pipe error = Pipe.open();
        GuestSession.Streams inside = new GuestSession.Streams(
                Channels.newInputStream(input.source()),
                Channels.newOutputStream(output.sink()),
                Channels.newOutputStream(error.sink()));
        Streams outside = new Streams(
                Channels.newOutputStream(input.sink()),
                Channels.newInputStream(output.source()),
                Channels.newInputStream(error.source()));
        return new Guest(vm, command, network, inside, outside);
    }

    /** The directories of this machine that the tests can change. */
    private static List<Path> shares() {
        String shares = System.getenv().getOrDefault("RDMA4J_TESTBED_SHARE", "");
        return Stream.of(shares.split(File.pathSeparator))
                .filter(share -> !share.isEmpty())
                .map(share -> Path.of(share).toAbsolutePath())
                .toList();
    }

    /** A guest, from both ends of its command's streams. */
    private static final class Guest implements Running {
        private final Streams outside;
        private final CompletableFuture<End> end = new CompletableFuture<>();
        private final Thread thread;

        Guest(
                KernelVm vm,
                GuestCommand command,
                NodeGroup.Network network,
                GuestSession.Streams inside,
                Streams outside) {
            this.outside = outside;
            // QEMU ends with the thread that started it, so the thread lives as long as the guest.
            thread = Daemon.start("guest", () -> end.complete(run(vm, command, network, inside)));
        }

        private static End run(
                KernelVm vm, GuestCommand command, NodeGroup.Network network, GuestSession.Streams streams) {
            OutputStream output = streams.output();
            OutputStream error = streams.error();
            InputStream input = streams.input();
            try (output;
                    error;
                    input) {
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
            return outside;
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
