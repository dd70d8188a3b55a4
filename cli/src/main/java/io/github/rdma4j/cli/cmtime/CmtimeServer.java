// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The other side: accepts every connection and answers its end. One thread reads events; one accepts and one ends, so
 * that a burst of requests does not keep the events of others waiting.
 */
public final class CmtimeServer {
    /** As many as the kernel lets wait unless it is told otherwise. */
    private static final int BACKLOG = 1024;

    private static final int SHUTDOWN_SECONDS = 10;

    private final InetSocketAddress address;
    private final PrintStream out;
    private final ExecutorService accepting = Executors.newSingleThreadExecutor(task -> daemon(task, "accepting"));
    private final ExecutorService ending = Executors.newSingleThreadExecutor(task -> daemon(task, "ending"));

    private interface Work {
        void run() throws RdmaException;
    }

    /** A server on {@code address}. */
    public CmtimeServer(InetSocketAddress address, PrintStream out) {
        this.address = address;
        this.out = out;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Serves until this thread is interrupted, which it reports by {@link InterruptedException}. */
    public void run() throws RdmaException, InterruptedException {
        try (SmallestQp qps = new SmallestQp();
                EventChannel channel = EventChannel.open();
                CmId listener = channel.createId(PortSpace.TCP)) {
            listener.bind(address);
            listener.listen(BACKLOG);
            say("listening on " + listener.localAddress().orElseThrow());
            try {
                serve(channel, qps);
            } finally {
                stop(accepting);
                stop(ending);
            }
        }
    }

    private void serve(EventChannel channel, SmallestQp qps) throws RdmaException, InterruptedException {
        while (true) {
            try (CmEvent event = channel.awaitEvent()) {
                CmId id = event.id();
                switch (event.type()) {
                    case CONNECT_REQUEST -> work(accepting, id, () -> accept(id, qps));
                    case DISCONNECTED -> work(ending, id, () -> end(id));
                    case CONNECT_ERROR, REJECTED, UNREACHABLE, DEVICE_REMOVAL -> {
                        say(event.toString());
                        if (event.listener().isEmpty() && id.state() != CmState.LISTENING) {
                            work(ending, id, id::close);
                        }
                    }
                    default -> {
                        // ESTABLISHED and the like ask for nothing.
                    }
                }
            }
        }
    }

    private static void accept(CmId id, SmallestQp qps) throws RdmaException {
        qps.createFor(id);
        id.accept(ConnectionParameters.DEFAULT);
    }

    private static void end(CmId id) throws RdmaException {
        id.disconnect();
        id.close();
    }

    /** A connection that fails is closed, which its peer notices, and the others go on. */
    private void work(ExecutorService executor, CmId id, Work work) {
        executor.execute(() -> {
            try {
                work.run();
            } catch (RdmaException | IllegalStateException e) {
                say(id + ": " + e.getMessage());
                abandon(id);
            }
        });
    }

    private void abandon(CmId id) {
        try {
            id.close();
        } catch (RdmaException e) {
            say(id + ": " + e.getMessage());
        }
    }

    private static void stop(ExecutorService executor) {
        executor.shutdownNow();
        try {
            executor.awaitTermination(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
