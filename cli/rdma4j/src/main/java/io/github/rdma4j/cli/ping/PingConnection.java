// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the server, which is accepted, served and closed on its own thread. An event that ends the connection
 * interrupts the thread, even after the device was removed.
 */
final class PingConnection {
    final CmId id;
    private final PingServer server;
    private final Thread thread;
    final PingResult result = new PingResult();

    /** The reason for ending the connection; null if there is none, or if the peer has disconnected. */
    private volatile @Nullable RdmaException verdict;

    private volatile boolean established;
    private volatile boolean peerLeft;
    private boolean accepted;

    PingConnection(CmId id, PingServer server) {
        this.id = id;
        this.server = server;
        thread = new Thread(this::run, "ping " + id);
        thread.setDaemon(true);
    }

    /** @throws OutOfMemoryError if no further thread can be started */
    void start() {
        thread.start();
    }

    /** True once both sides had agreed on the connection. */
    boolean wasEstablished() {
        return established || result.count() > 0;
    }

    /** Handles an event of the connection, on the thread that reads events. */
    void tell(CmEvent event) {
        switch (event.type()) {
            case ESTABLISHED -> established = true;
            case DISCONNECTED -> {
                // DISCONNECTED may come without ESTABLISHED
                established = true;
                peerLeft = true;
                thread.interrupt();
            }
            case REJECTED, UNREACHABLE, CONNECT_ERROR, DEVICE_REMOVAL -> end(Failures.of(event));
            default -> {
                // the event ends nothing
            }
        }
    }

    /** Ends the connection soon, for the given reason. */
    void end(RdmaException reason) {
        verdict = reason;
        thread.interrupt();
    }

    /** Waits until the connection is completely closed, or until the time limit. */
    void awaitEnd(Duration limit) throws InterruptedException {
        thread.join(limit.toMillis());
    }

    private void run() {
        server.ended(this, close(attempt()).orElse(null));
    }

    private Optional<Throwable> attempt() {
        try (PingLink link = new PingLink(id, this::await);
                PingMemory memory = new PingMemory(link, server.budget)) {
            id.accept(PingLink.PARAMETERS);
            accepted = true;
            serve(link, memory);
            return Optional.empty();
        } catch (PingLink.PeerGoneException | InterruptedException e) {
            return Optional.ofNullable(verdict);
        } catch (RdmaException | RuntimeException | OutOfMemoryError | LinkageError e) {
            // when the peer leaves, the current request may fail before or after DISCONNECTED
            RdmaException known = verdict;
            return known == null && peerLeft && e instanceof WorkCompletionException
                    ? Optional.empty()
                    : Optional.of(known == null ? e : known);
        }
    }

    /** Closes the link, which also closes the id, unless the creation of the link failed. */
    private Optional<Throwable> close(Optional<Throwable> failure) {
        try {
            id.close();
            return failure;
        } catch (RdmaException | RuntimeException e) {
            return failure.isPresent() ? failure : Optional.of(e);
        }
    }

    private void await(CompletionQueue cq, WorkCompletion[] into) throws RdmaException, InterruptedException {
        if (cq.await(into, server.idle) == 0) {
            throw new RdmaException("the client sent nothing for " + server.idle.toSeconds() + " s (--idle)");
        }
    }

    private void serve(PingLink link, PingMemory memory) throws RdmaException, InterruptedException {
        while (true) {
            PingLink.BufferOffer source = link.awaitMessage();
            long start = System.nanoTime();
            requireServed(source);
            MemoryRegion region = memory.ofAtLeast(source.size());
            link.read(source, region, source.size());
            server.verbose(() -> "server ping data: " + PingData.text(memory.contents(), source.size()));
            link.goAhead();
            PingLink.BufferOffer sink = link.awaitMessage();
            requireServed(sink);
            // like rping: the text and its zero byte, which fill the whole buffer of a regular client
            int length = Math.min(PingData.lengthOfText(memory.contents(), source.size()) + 1, source.size());
            link.write(sink, region, Math.min(length, sink.size()));
            link.goAhead();
            result.add(System.nanoTime() - start);
        }
    }

    private static void requireServed(PingLink.BufferOffer offer) throws RdmaException {
        if (offer.size() <= 0 || offer.size() > PingData.MAX_SIZE) {
            throw new RdmaException("the client offers " + Integer.toUnsignedLong(offer.size())
                    + " bytes; it must offer 1 to " + PingData.MAX_SIZE + " bytes");
        }
    }

    /** Describes the failure of this connection in one line. */
    String describe(Throwable failure) {
        String what = Failures.text(failure);
        if (!accepted) {
            return "refused " + id + ": " + what;
        }
        return (wasEstablished() ? "connection " : "never established: ") + id + " after " + result + ": " + what;
    }

    /** The ping memory of a server's connection: one region, which a larger ping replaces. For one thread. */
    private static final class PingMemory implements AutoCloseable {
        private final PingLink link;
        private final Budget budget;
        private ByteBuffer buffer = ByteBuffer.allocateDirect(0);
        private @Nullable MemoryRegion region;

        PingMemory(PingLink link, Budget budget) {
            this.link = link;
            this.budget = budget;
        }

        /** Returns a region of at least {@code bytes} bytes. */
        MemoryRegion ofAtLeast(int bytes) throws RdmaException {
            MemoryRegion present = region;
            if (present != null && present.length() >= bytes) {
                return present;
            }
            close();
            budget.take(bytes);
            MemoryRegion larger = Undo.onFailure(
                    () -> {
                        buffer = ByteBuffer.allocateDirect(bytes);
                        return link.register(buffer, EnumSet.of(Access.LOCAL_WRITE));
                    },
                    () -> budget.release(bytes));
            region = larger;
            return larger;
        }

        ByteBuffer contents() {
            return buffer;
        }

        @Override
        public void close() throws RdmaException {
            MemoryRegion present = region;
            if (present != null) {
                region = null;
                budget.release(present.length());
                present.close();
            }
        }
    }

    /** The memory limit that all connections of a server share. Safe for use by several threads. */
    static final class Budget {
        private final long limit;
        private final AtomicLong taken = new AtomicLong();

        Budget(long limit) {
            this.limit = limit;
        }

        /** Reserves {@code bytes}; {@link #release} returns them. */
        void take(long bytes) throws RdmaException {
            long all = taken.addAndGet(bytes);
            if (all > limit) {
                taken.addAndGet(-bytes);
                throw new RdmaException("the client needs " + bytes + " bytes; of the " + limit
                        + " bytes for all clients " + Math.max(0, limit - (all - bytes)) + " are left (--max-bytes)");
            }
        }

        void release(long bytes) {
            taken.addAndGet(-bytes);
        }

        long taken() {
            return taken.get();
        }
    }
}
