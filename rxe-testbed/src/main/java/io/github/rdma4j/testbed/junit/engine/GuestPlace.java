// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.GuestLauncher;
import io.github.rdma4j.testbed.guest.GuestFailureException;
import io.github.rdma4j.testbed.guest.GuestResult;
import io.github.rdma4j.testbed.guest.GuestStreams;
import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Starts the JVM in a guest of the testbed. */
final class GuestPlace implements WorkerPlace {
    @Override
    public Running start(GuestSpec spec, JvmCommand command) throws TestbedException, InterruptedException {
        GuestLauncher launcher = GuestLauncher.prepare(spec.kernel(), spec.device().name());
        try {
            return new Guest(spec, command, launcher);
        } catch (IOException e) {
            throw new TestbedException("cannot make the pipes for the guest: " + e.getMessage(), e);
        }
    }

    private static final class Guest implements Running {
        private final Pipe input = Pipe.open();
        private final Pipe output = Pipe.open();
        private final Pipe error = Pipe.open();
        private final CompletableFuture<End> end = new CompletableFuture<>();
        private final Thread thread;

        Guest(GuestSpec spec, JvmCommand command, GuestLauncher launcher) throws IOException {
            // QEMU ends with the thread that started it, so the thread stays.
            thread = new Thread(() -> end.complete(run(spec, command, launcher)), "rdma4j-guest");
            thread.setDaemon(true);
            thread.start();
        }

        private End run(GuestSpec spec, JvmCommand command, GuestLauncher launcher) {
            try (OutputStream out = Channels.newOutputStream(output.sink());
                    OutputStream err = Channels.newOutputStream(error.sink());
                    InputStream in = Channels.newInputStream(input.source())) {
                GuestStreams streams = new GuestStreams(in, out, err);
                GuestResult result = launcher.run(command.words(launcher.jvmOptions()), spec.nodes(), spec.memoryMib(), streams);
                return new End("the JVM in the guest ended with status " + result.status(), List.of());
            } catch (GuestFailureException e) {
                return new End(String.valueOf(e.getMessage()), e.kernelLines().lines().toList());
            } catch (TestbedException | IOException e) {
                return new End(String.valueOf(e.getMessage()), List.of());
            } catch (InterruptedException e) {
                return new End("the guest was ended", List.of());
            } catch (RuntimeException | Error e) {
                return new End("the testbed failed: " + e, List.of());
            }
        }

        @Override
        public OutputStream input() {
            return Channels.newOutputStream(input.sink());
        }

        @Override
        public InputStream output() {
            return Channels.newInputStream(output.source());
        }

        @Override
        public InputStream error() {
            return Channels.newInputStream(error.source());
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
