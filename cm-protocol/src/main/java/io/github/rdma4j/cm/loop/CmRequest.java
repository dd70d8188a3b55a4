// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.internal.memory.Headroom;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Somebody wants to connect to a {@link CmListener}. To be answered once, from any thread; closing says no. */
public final class CmRequest implements AutoCloseable {
    private final LoopThread loop;
    private final CmEvent event;
    private final AtomicBoolean answered = new AtomicBoolean();

    /** For the loop's thread: the peer has given up meanwhile. */
    private @Nullable CmEvent withdrawal;

    CmRequest(LoopThread loop, CmEvent event) {
        this.loop = loop;
        this.event = event;
        loop.route(event.id(), this::take);
    }

    private void take(CmEvent news) {
        if (news.type().endsConnection()) {
            withdrawal = news;
        }
    }

    void requireNotWithdrawn() throws RdmaException {
        if (withdrawal != null) {
            loop.forget(id());
            id().close();
            throw withdrawal.toException();
        }
    }

    /** The new id, whose addresses say who wants to connect. */
    public CmId id() {
        return event.id();
    }

    /** The CONNECT_REQUEST event, with the peer's private data and what it proposes. */
    public CmEvent event() {
        return event;
    }

    /** {@link #accept(ConnectOptions)} with the default options. */
    public CompletableFuture<CmConnection> accept() {
        return accept(ConnectOptions.DEFAULT);
    }

    /**
     * Creates the queue pair and accepts the request; the future completes when the peer has confirmed the connection. The
     * future fails as that of {@link CmEventLoop#connect} does, and with ErrnoException EINVAL when the peer has given up.
     *
     * @throws IllegalStateException when the request was answered before
     */
    public CompletableFuture<CmConnection> accept(ConnectOptions options) {
        Objects.requireNonNull(options, "options");
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException("the request was answered before: " + id());
        }
        return new Accepting(loop, this, options).begin();
    }

    /**
     * Says no, with bytes for the peer; see {@link CmId#reject}.
     *
     * @throws IllegalStateException when the request was answered before
     * @throws IllegalArgumentException for more bytes than a rejection carries; the request is closed then
     */
    public void reject(byte[] privateData) throws RdmaException {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException("the request was answered before: " + id());
        }
        loop.forget(id());
        try (CmId rejected = id()) {
            rejected.reject(privateData);
        }
    }

    /** Says no unless the request was answered before. */
    @Override
    public void close() throws RdmaException {
        Headroom.await();
        if (answered.compareAndSet(false, true)) {
            loop.forget(id());
            id().close();
        }
    }

    @Override
    public String toString() {
        return "CmRequest[" + id() + "]";
    }
}
