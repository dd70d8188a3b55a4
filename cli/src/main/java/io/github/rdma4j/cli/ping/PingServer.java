// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.Access;
import io.github.rdma4j.verbs.MemoryRegion;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The server of the exchange: serves each connection in a thread of its own, until it is interrupted or, if so asked,
 * until the first connection has ended.
 */
public final class PingServer {
    private static final int BACKLOG = 16;

    private final InetSocketAddress address;
    private final boolean once;
    private final boolean verbose;
    private final PrintStream out;
    private final Consumer<PingResult> served;
    private final CountDownLatch listening = new CountDownLatch(1);
    private volatile @Nullable RdmaException failure;

    /**
     * A server on {@code address}.
     *
     * @param once to return when the first connection has ended
     * @param served is told, in the connection's thread, of each connection that its client has ended: the times are
     *     from a ping's arrival to the server's last word on it
     */
    public PingServer(
            InetSocketAddress address, boolean once, boolean verbose, PrintStream out, Consumer<PingResult> served) {
        this.address = address;
        this.once = once;
        this.served = served;
        this.verbose = verbose;
        this.out = out;
    }

    /** Listens and serves; with {@code once}, returns when one connection has ended and throws what it ended with. */
    public void run() throws RdmaException, InterruptedException {
        try (EventChannel channel = EventChannel.open();
                CmId listener = channel.createId(PortSpace.TCP)) {
            listener.bind(address);
            listener.listen(BACKLOG);
            say("listening on " + listener.localAddress().orElseThrow());
            listening.countDown();
            while (true) {
                try (CmEvent event = channel.awaitEvent()) {
                    handle(event);
                }
            }
        } catch (ClosedWhileWaitingException e) {
            RdmaException failed = failure;
            if (failed != null) {
                throw failed;
            }
        } finally {
            listening.countDown();
        }
    }

    /** Waits until clients can connect; returns also when that has failed. */
    public void awaitListening() throws InterruptedException {
        listening.await();
    }

    private void handle(CmEvent event) throws RdmaException {
        CmId id = event.id();
        switch (event.type()) {
            case CONNECT_REQUEST -> start(id);
            case DISCONNECTED, REJECTED, UNREACHABLE, DEVICE_REMOVAL -> {
                verbose(event.toString());
                end(event);
            }
            default -> verbose(event.toString());
        }
    }

    /** A request that cannot be served is refused, and the server goes on. */
    private void start(CmId id) throws RdmaException {
        PingLink link;
        try {
            link = new PingLink(id);
        } catch (RdmaException e) {
            say("refused " + id + ": " + e.getMessage());
            id.close();
            return;
        }
        try {
            id.accept(PingLink.PARAMETERS);
        } catch (RdmaException e) {
            say("could not accept " + id + ": " + e.getMessage());
            link.close();
            return;
        }
        Thread thread =
                new Thread(() -> serve(id, link), "ping " + id.peerAddress().orElseThrow());
        thread.setDaemon(true);
        thread.start();
    }

    /** Answering the end of the connection flushes the queues, which ends the connection's thread. */
    private static void end(CmEvent event) throws RdmaException {
        CmId id = event.id();
        if (event.type() == CmEventType.DISCONNECTED && id.state() == CmState.DISCONNECTED) {
            id.disconnect();
        } else if (id.qp().isPresent() && !id.qp().get().isClosed()) {
            id.qp().get().moveToError();
        }
    }

    private void serve(CmId id, PingLink link) {
        PingResult result = new PingResult();
        try (link) {
            exchange(link, result);
        } catch (PingLink.PeerGoneException e) {
            served.accept(result);
        } catch (RdmaException | RuntimeException e) {
            failure = e instanceof RdmaException known ? known : new RdmaException(String.valueOf(e), e);
            say("connection " + id + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (once) {
            closeChannel(id.channel());
        }
    }

    /** Wakes {@link #run}, which then returns. */
    private void closeChannel(EventChannel channel) {
        try {
            channel.close();
        } catch (RdmaException e) {
            say("closing: " + e.getMessage());
        }
    }

    private void exchange(PingLink link, PingResult result) throws RdmaException, InterruptedException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(0);
        MemoryRegion region = null;
        while (true) {
            BufferOffer source = link.awaitMessage();
            long start = System.nanoTime();
            if (source.size() <= 0 || source.size() > PingData.MAX_SIZE) {
                throw new RdmaException("the client offers " + Integer.toUnsignedLong(source.size())
                        + " bytes; at most " + PingData.MAX_SIZE + " are served");
            }
            if (region == null || region.length() < source.size()) {
                buffer = ByteBuffer.allocateDirect(source.size());
                region = link.register(buffer, EnumSet.of(Access.LOCAL_WRITE));
            }
            link.read(source, region, source.size());
            if (verbose) {
                say("server ping data: " + PingData.text(buffer, source.size()));
            }
            link.goAhead();
            BufferOffer sink = link.awaitMessage();
            // As rping does: the text and its zero byte, which is the whole buffer when the client is in its right
            // mind.
            int length = Math.min(PingData.lengthOfText(buffer, source.size()) + 1, source.size());
            link.write(sink, region, Math.min(length, sink.size()));
            link.goAhead();
            result.add(System.nanoTime() - start);
        }
    }

    private void verbose(String line) {
        if (verbose) {
            say(line);
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
