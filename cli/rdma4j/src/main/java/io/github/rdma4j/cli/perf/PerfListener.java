// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Accepts the connections of one client, and rejects other clients. For one thread. */
final class PerfListener implements AutoCloseable {
    static final String BEFORE_TEST = "before it had made the connections of the test";

    private final CmEventLoop loop;
    private final CmListener listener;
    private final Duration step;
    private CompletableFuture<CmRequest> next;

    PerfListener(CmEventLoop loop, InetSocketAddress at, int backlog, Duration step) throws RdmaException {
        this.loop = loop;
        this.step = step;
        listener = loop.listen(at, backlog);
        next = listener.nextRequest();
    }

    InetSocketAddress address() {
        return listener.address();
    }

    /** Waits for a client, without a time limit. */
    CmConnection acceptFirst(ConnectOptions options) throws RdmaException, InterruptedException {
        return loop.await(take(PerfRun.FOR_EVER).accept(options), PerfRun.FOR_EVER);
    }

    private CmRequest take(Duration limit) throws RdmaException, InterruptedException {
        CmRequest request = loop.await(next, limit);
        next = listener.nextRequest();
        return request;
    }

    /**
     * Rejects the requests that have come meanwhile: the client of the first connection connects again only on request.
     */
    void rejectStrangers() throws RdmaException, InterruptedException {
        passThroughLoop();
        while (next.isDone()) {
            take(step).close();
            passThroughLoop();
        }
    }

    /** Waits until the loop has handled all earlier events. */
    private void passThroughLoop() throws RdmaException, InterruptedException {
        loop.await(CompletableFuture.runAsync(() -> {}, loop), step);
    }

    /** Waits for another connection of the client that opened {@code first}. */
    CmConnection acceptSecond(CmConnection first, ConnectOptions options) throws RdmaException, InterruptedException {
        Optional<InetAddress> client = first.id().peerAddress().map(InetSocketAddress::getAddress);
        CmRequest request = takeUnlessEnded(first);
        while (!request.id().peerAddress().map(InetSocketAddress::getAddress).equals(client)) {
            request.close();
            request = takeUnlessEnded(first);
        }
        return loop.await(request.accept(options), PerfRun.FOR_EVER);
    }

    /** The next request; throws if the client ends its first connection instead. */
    private CmRequest takeUnlessEnded(CmConnection first) throws RdmaException, InterruptedException {
        try {
            loop.await(CompletableFuture.anyOf(next, first.disconnected()), step);
        } catch (CmTimeoutException e) {
            throw PeerFailure.silent(BEFORE_TEST, step.toSeconds() + " s");
        }
        if (!next.isDone()) {
            throw PeerFailure.ended(BEFORE_TEST);
        }
        return take(step);
    }

    @Override
    public void close() throws RdmaException {
        listener.close();
    }
}
