// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import io.github.rdma4j.cli.run.BackgroundCloser;
import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cli.run.ServerEvents;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The server: accepts every connection and answers its end. One thread reads events, a second thread accepts, and
 * further threads close, so that a burst of requests does not delay the events of other connections. When a connection
 * fails, the server closes it, prints a line and continues. A server on one address ends when the device of that
 * address is removed; a server on every address closes the connections of the device and continues.
 */
public final class CmtimeServer {
    /** The default limit of connections served at the same time. */
    public static final int CONNECTIONS = 10_000;

    /** The kernel's default. */
    private static final int BACKLOG = 1024;

    private static final int SHUTDOWN_SECONDS = 10;

    private final InetSocketAddress address;
    private final int connections;
    private final PrintWriter out;
    private final ServerQps qps = new ServerQps();
    private final AtomicInteger open = new AtomicInteger();
    private final ExecutorService accepting = Executors.newSingleThreadExecutor(CmtimeServer::daemon);

    /** Creates a server on {@code address} for up to {@code connections} connections at the same time. */
    public CmtimeServer(InetSocketAddress address, int connections, PrintWriter out) {
        this.address = address;
        this.connections = connections;
        this.out = out;
    }

    /** A connection and its share of the completion queues. */
    private final class Served {
        private final CmId id;
        private final AtomicBoolean closed = new AtomicBoolean();

        Served(CmId id) {
            this.id = id;
        }

        void accept(BackgroundCloser ending) {
            try {
                qps.createFor(id);
                id.accept(ConnectionParameters.DEFAULT);
            } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
                say(id + ": " + Failures.text(e));
                ending.close(id, this::close);
            }
        }

        /** Answers the peer first, because the peer waits and closing is slower. */
        void answerAndClose() throws RdmaException {
            try {
                id.disconnect();
            } catch (RdmaException | IllegalStateException ended) {
                // closing answers the peer too
            }
            close();
        }

        /** Releases the share in each call, because an id may be closed while its queue pair is being created. */
        void close() throws RdmaException {
            if (closed.compareAndSet(false, true)) {
                open.decrementAndGet();
            }
            Failures.closeAll(id::close, () -> qps.release(id));
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "accepting");
        thread.setDaemon(true);
        return thread;
    }

    /** Serves until this thread is interrupted; then throws {@link InterruptedException}. */
    public void run() throws RdmaException, InterruptedException {
        try (qps;
                EventChannel channel = EventChannel.open();
                BackgroundCloser ending = new BackgroundCloser(this::say);
                CmId listener = channel.createId(PortSpace.TCP)) {
            listener.bind(address);
            listener.listen(BACKLOG);
            say("listening on " + listener.localAddress().orElseThrow());
            try {
                ServerEvents events = new ServerEvents(channel, this::say);
                events.serve(listener, address, event -> handle(event, ending));
            } finally {
                stopAccepting();
            }
        }
    }

    private void handle(CmEvent event, BackgroundCloser ending) {
        CmId id = event.id();
        switch (event.type()) {
            case CONNECT_REQUEST -> start(id, ending);
            case DISCONNECTED -> {
                if (id.attachment() instanceof Served served) {
                    ending.close(id, served::answerAndClose);
                }
            }
            case CONNECT_ERROR, REJECTED, UNREACHABLE, DEVICE_REMOVAL -> {
                say(event.toString());
                if (id.attachment() instanceof Served served) {
                    ending.close(id, served::close);
                }
            }
            default -> {
                // ESTABLISHED and similar events need no reaction
            }
        }
    }

    private void start(CmId id, BackgroundCloser ending) {
        if (open.incrementAndGet() > connections) {
            open.decrementAndGet();
            say("refused " + id + ": " + connections + " connections are open (--max-connections)");
            ending.close(id);
            return;
        }
        Served served = new Served(id);
        id.attach(served);
        accepting.execute(() -> served.accept(ending));
    }

    private void stopAccepting() {
        accepting.shutdownNow();
        try {
            accepting.awaitTermination(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void say(String line) {
        out.println(line);
    }
}
