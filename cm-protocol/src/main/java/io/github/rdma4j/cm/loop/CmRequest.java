// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A connect request to a {@link CmListener}. Accept or reject it once, from any thread; closing an unanswered request
 * rejects it.
 */
public final class CmRequest implements AutoCloseable {
    private final LoopThread loop;
    private final CmEvent event;
    private final AtomicBoolean answered = new AtomicBoolean();

    /** The event with which the peer gave up the request; used by the loop's thread. */
    private @Nullable CmEvent withdrawal;

    CmRequest(LoopThread loop, CmEvent event) {
        this.loop = loop;
        this.event = event;
        loop.routes.put(event.id(), this::take);
    }

    private void take(CmEvent news) {
        if (news.type().endsConnection()) {
            withdrawal = news;
        }
    }

    void requireNotWithdrawn() throws RdmaException {
        if (withdrawal != null) {
            loop.routes.remove(id());
            id().close();
            throw withdrawal.toException();
        }
    }

    /** Returns the new id, whose addresses identify the peer. */
    public CmId id() {
        return event.id();
    }

    /** Returns the CONNECT_REQUEST event, with the peer's private data and parameters. */
    public CmEvent event() {
        return event;
    }

    /** Accepts the request with {@link ConnectOptions#DEFAULT}; see {@link #accept(ConnectOptions)}. */
    public CompletableFuture<CmConnection> accept() {
        return accept(ConnectOptions.DEFAULT);
    }

    /**
     * Creates the queue pair and accepts the request. The future completes when the peer has confirmed the connection.
     * It fails in the same cases as the future of {@link CmEventLoop#connect}, and with ErrnoException EINVAL if the
     * peer has given up.
     *
     * <p>If this side lacks memory, descriptors or queue pairs for the connection, the peer is rejected at once, with
     * private data that says so: {@code R4J}, a byte 1, 4 bytes with 2 for memory, 3 for descriptors or 4 for the
     * device, and zeros. If no stage depends on the future then, and no thread waits for it, the failure also goes to
     * the handler of uncaught exceptions.
     *
     * @throws IllegalStateException if the request was already answered
     */
    public CompletableFuture<CmConnection> accept(ConnectOptions options) {
        Objects.requireNonNull(options, "options");
        answerOnce();
        return new Accepting(loop, this, options).begin();
    }

    /**
     * Rejects the request, with private data for the peer; see {@link CmId#reject}.
     *
     * @throws IllegalStateException if the request was already answered
     * @throws IllegalArgumentException for more private data than a rejection carries; the request is then closed
     */
    public void reject(byte[] privateData) throws RdmaException {
        answerOnce();
        loop.routes.remove(id());
        try (CmId rejected = id()) {
            rejected.reject(privateData);
        }
    }

    private void answerOnce() {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException("the request was already answered: " + id());
        }
    }

    /** Rejects the request unless it was already answered. */
    @Override
    public void close() throws RdmaException {
        if (answered.compareAndSet(false, true)) {
            loop.routes.remove(id());
            id().close();
        }
    }

    @Override
    public String toString() {
        return "CmRequest[" + id() + "]";
    }
}
