// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.cli.run.RdmaAddress;
import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * Makes the JVM compile the code of both sides before the peer is contacted. perftest has no messages for that, so this
 * process runs the program with itself.
 */
final class WarmUp {
    /** The time limit of address resolution, enforced by the kernel. */
    private static final Duration ADDRESS_LIMIT = Duration.ofSeconds(5);

    private WarmUp() {}

    /** Runs {@code options.warmUp} iterations between two threads, over the device of the options. */
    static void run(PerfOptions options) throws RdmaException, InterruptedException {
        PerfOptions both = options.copy().iterations(options.warmUp).warmUp(0);
        both.local(new InetSocketAddress(address(options), 0));
        CompletableFuture<InetSocketAddress> listening = new CompletableFuture<>();
        PerfOptions passive = both.copy().noServer();
        FutureTask<PerfResult> server = new FutureTask<>(() -> PerfRun.server(passive, listening::complete));
        Thread thread = new Thread(() -> serve(server, listening), "rdma4j-perf-warm-up");
        thread.setDaemon(true);
        thread.start();
        try {
            PerfRun.client(both.server(result(listening)));
            result(server);
        } finally {
            thread.interrupt();
            thread.join();
        }
    }

    private static void serve(FutureTask<PerfResult> server, CompletableFuture<InetSocketAddress> listening) {
        server.run();
        // no effect if the server has listened
        listening.completeExceptionally(new RdmaException("the warm-up could not listen"));
    }

    private static InetAddress address(PerfOptions options) throws RdmaException, InterruptedException {
        InetAddress local = options.local.getAddress();
        if (!local.isAnyLocalAddress()) {
            return local;
        }
        InetSocketAddress server = options.server();
        if (server == null) {
            return RdmaAddress.first().address();
        }
        try (BlockingCmId id = BlockingCmId.create(PortSpace.TCP)) {
            id.resolveAddress(server, ADDRESS_LIMIT);
            return id.id().localAddress().orElseThrow().getAddress();
        }
    }

    private static <T> T result(Future<T> future) throws RdmaException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new RdmaException("the warm-up failed: " + cause.getMessage(), cause);
        }
    }
}
