// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.rsocket;

import io.github.rdma4j.internal.rsocket.Stream;
import io.github.rdma4j.internal.rsocket.StreamListener;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections of rsockets ({@code rlisten}, {@code raccept}). Safe for use by several threads.
 *
 * <p>Connections are accepted in the background, so a client connects, and may write, before the program calls {@link
 * #accept()}. At most the backlog of connections waits for the program, each with the buffers of the options; further
 * clients are rejected. When descriptors, locked memory or queue pairs run out, clients are rejected with the reason in their
 * exceptions, and the {@link System.Logger} {@code io.github.rdma4j.rsocket} of this side says so, at most every ten seconds.
 * Closing the listener resets the connections that wait; the others stay open.
 *
 * <pre>{@code
 * try (RsocketListener listener = RsocketListener.listen(new InetSocketAddress(host, 7471))) {
 *     while (true) {
 *         RsocketChannel client = listener.accept();
 *         executor.execute(() -> serve(client));
 *     }
 * }
 * }</pre>
 */
public final class RsocketListener implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final int BACKLOG = 128;

    private final StreamListener<Stream> listener;

    private RsocketListener(StreamListener<Stream> listener) {
        this.listener = listener;
        Cleaner.Cleanable unused = CLEANER.register(this, listener::closeLater);
    }

    /** Listens with a backlog of 128 and {@link RsocketOptions#DEFAULT}. */
    public static RsocketListener listen(InetSocketAddress at) throws RdmaException {
        return listen(at, BACKLOG, RsocketOptions.DEFAULT);
    }

    /**
     * Listens on a local address; port 0 selects a free port.
     *
     * @param backlog the connections that may wait for {@link #accept()}, 1 or more
     * @param options the options of the accepted connections
     * @throws io.github.rdma4j.kernel.ErrnoException EADDRINUSE or EADDRNOTAVAIL if address or port is not available;
     *     ENODEV if no RDMA device has the address
     */
    public static RsocketListener listen(InetSocketAddress at, int backlog, RsocketOptions options)
            throws RdmaException {
        if (backlog < 1) {
            throw new IllegalArgumentException("backlog is " + backlog + "; it must be 1 or more");
        }
        return new RsocketListener(StreamListener.listen(at, backlog, options.settings()));
    }

    /** Returns the local address, including the port that the kernel selected if port 0 was requested. */
    public InetSocketAddress localAddress() {
        return listener.address();
    }

    /**
     * Waits for the next connection.
     *
     * @throws java.nio.channels.AsynchronousCloseException if another thread closes the listener
     * @throws InterruptedException if the thread is interrupted; the listener stays open
     */
    public RsocketChannel accept() throws IOException, InterruptedException {
        return accept(Long.MAX_VALUE).orElseThrow();
    }

    /** As {@link #accept()}; empty if the time limit expires. {@link Duration#ZERO} does not wait. */
    public Optional<RsocketChannel> accept(Duration limit) throws IOException, InterruptedException {
        return accept(RsocketChannel.nanos(limit));
    }

    private Optional<RsocketChannel> accept(long nanos) throws IOException, InterruptedException {
        try {
            @Nullable Stream stream = listener.accept(nanos);
            return stream == null ? Optional.empty() : Optional.of(new RsocketChannel(stream));
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public void close() throws RdmaException {
        listener.close();
    }

    @Override
    public String toString() {
        return "RsocketListener[" + listener + "]";
    }
}
