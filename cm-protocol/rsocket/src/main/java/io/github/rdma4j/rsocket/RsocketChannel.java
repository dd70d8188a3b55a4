// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.rsocket;

import io.github.rdma4j.internal.rsocket.DirectMemory;
import io.github.rdma4j.internal.rsocket.Stream;
import io.github.rdma4j.internal.rsocket.StreamSetup;
import io.github.rdma4j.kernel.MappedMemory;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.InterruptibleChannel;
import java.nio.channels.ScatteringByteChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A stream of bytes over an RDMA connection, compatible with {@code rsocket(7)}: the peer may be a C program. One thread
 * may read while another writes; any thread may close.
 *
 * <p>A channel is blocking at first. A blocking read waits for at least one byte; a blocking write waits until all bytes
 * are in the send buffer. An interrupt of a waiting thread closes the channel, as for every {@link
 * InterruptibleChannel}. {@link #configureBlocking} with false makes reads and writes return what is possible without
 * waiting. A waiting virtual thread releases its carrier.
 *
 * <p>When the peer closes its end, reads return the bytes that have come and then -1. When the connection is lost, reads
 * return these bytes and then throw a {@link java.net.SocketException} that begins with "Connection reset". What has come
 * can be read also after a write has failed.
 *
 * <p>What was written reaches the peer although the channel is closed, becomes garbage without being closed, which closes it
 * in the background, or the program ends: a program waits at its end until its peers have everything, for up to the time of
 * {@link RsocketOptions.Builder#linger} and 5 s, and channels that are open then are closed. Only {@link Runtime#halt}, a
 * signal that kills, or a crash resets them.
 *
 * <pre>{@code
 * try (RsocketChannel channel = RsocketChannel.connect(new InetSocketAddress(host, 7471))) {
 *     channel.write(request);
 *     channel.shutdownOutput();
 *     while (channel.read(answer) >= 0) {
 *         ...
 *     }
 * }
 * }</pre>
 */
public final class RsocketChannel
        implements ByteChannel, GatheringByteChannel, ScatteringByteChannel, InterruptibleChannel {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Stream stream;
    private volatile boolean blocking = true;
    private volatile boolean closed;

    RsocketChannel(Stream stream) {
        this.stream = stream;
        Cleaner.Cleanable unused = CLEANER.register(this, stream::closeLater);
    }

    /** Connects with {@link RsocketOptions#DEFAULT}. */
    public static RsocketChannel connect(InetSocketAddress to) throws IOException, InterruptedException {
        return connect(to, RsocketOptions.DEFAULT);
    }

    /**
     * Connects, and waits for the answer ({@code rconnect}).
     *
     * @throws java.net.ConnectException if the peer refuses, or no RDMA device leads to it
     * @throws java.net.SocketTimeoutException if the peer does not answer in time
     * @throws InterruptedException if the thread is interrupted; the attempt ends
     */
    public static RsocketChannel connect(InetSocketAddress to, RsocketOptions options)
            throws IOException, InterruptedException {
        CompletableFuture<RsocketChannel> connecting = connectAsync(to, options);
        try {
            return connecting.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof IOException known) {
                throw known;
            }
            throw new IOException(String.valueOf(cause), e);
        } catch (InterruptedException e) {
            connecting.cancel(false);
            throw e;
        }
    }

    /**
     * Starts to connect. Cancelling the future ends the attempt.
     *
     * @return a future that fails with the exceptions of {@link #connect(InetSocketAddress, RsocketOptions)}; do not
     *     block in its dependent stages, which run on the thread that all connects share
     */
    public static CompletableFuture<RsocketChannel> connectAsync(InetSocketAddress to, RsocketOptions options) {
        CompletableFuture<Stream> made = StreamSetup.connect(Objects.requireNonNull(to, "to"), options.settings());
        CompletableFuture<RsocketChannel> connecting = new CompletableFuture<>();
        CompletableFuture<Void> unused = made.handle((stream, failure) -> {
            if (failure != null) {
                connecting.completeExceptionally(failure);
            } else if (!connecting.complete(new RsocketChannel(stream))) {
                stream.abortLater();
            }
            return null;
        });
        CompletableFuture<RsocketChannel> unusedToo = connecting.whenComplete((channel, failure) -> {
            if (failure != null) {
                made.cancel(false);
            }
        });
        return connecting;
    }

    static long nanos(Duration limit) {
        try {
            return Math.max(0, limit.toNanos());
        } catch (ArithmeticException centuries) {
            return limit.isNegative() ? 0 : Long.MAX_VALUE;
        }
    }

    /** Returns the local address. */
    public InetSocketAddress localAddress() {
        return stream.localAddress();
    }

    /** Returns the address of the peer. */
    public InetSocketAddress remoteAddress() {
        return stream.peerAddress();
    }

    /** Makes reads and writes wait, or return what is possible without waiting. */
    public RsocketChannel configureBlocking(boolean block) {
        blocking = block;
        return this;
    }

    /** Returns true if reads and writes wait. */
    public boolean isBlocking() {
        return blocking;
    }

    /**
     * Reads bytes ({@code rrecv}).
     *
     * @return the number of bytes; 0 if the buffer has no room, or if the channel is non-blocking and there are none; -1
     *     at the end of the stream
     * @throws ClosedByInterruptException if the thread is interrupted while it waits; the channel is closed
     * @throws java.nio.channels.AsynchronousCloseException if another thread closes the channel
     * @throws java.net.SocketException if the connection was reset, or timed out
     */
    @Override
    public int read(ByteBuffer into) throws IOException {
        return read(into, blocking ? Long.MAX_VALUE : 0);
    }

    /** As {@link #read(ByteBuffer)}; returns 0 if no byte comes within the limit. */
    public int read(ByteBuffer into, Duration limit) throws IOException {
        return read(into, nanos(limit));
    }

    private int read(ByteBuffer into, long nanos) throws IOException {
        int bytes = stream.read(into);
        if (bytes != 0 || nanos <= 0 || !into.hasRemaining()) {
            return bytes;
        }
        boolean limited = nanos != Long.MAX_VALUE;
        long start = limited ? System.nanoTime() : 0;
        long left = nanos;
        while (bytes == 0 && left > 0 && await(Stream.READABLE, left)) {
            bytes = stream.read(into);
            if (bytes == 0 && limited) {
                left = nanos - (System.nanoTime() - start); // another thread has read what had come
            }
        }
        return bytes;
    }

    @Override
    public long read(ByteBuffer[] into) throws IOException {
        return read(into, 0, into.length);
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            if (!into[i].hasRemaining()) {
                continue;
            }
            int bytes = total == 0 ? read(into[i]) : stream.read(into[i]);
            if (bytes < 0) {
                return total == 0 ? bytes : total;
            }
            total += bytes;
            if (into[i].hasRemaining()) {
                return total;
            }
        }
        return total;
    }

    /** Copies bytes into {@code into}, without waiting, and leaves them to the next read ({@code MSG_PEEK}). */
    public int peek(ByteBuffer into) throws IOException {
        return stream.peek(into);
    }

    /**
     * Writes bytes ({@code rsend}): all of them if the channel is blocking, otherwise those for which there is room.
     *
     * @return the number of bytes
     * @throws ClosedByInterruptException if the thread is interrupted while it waits; the channel is closed
     * @throws java.nio.channels.AsynchronousCloseException if another thread closes the channel
     * @throws java.nio.channels.ClosedChannelException if the channel is closed, or its output is shut down
     * @throws java.net.SocketException if the peer has closed the connection, or the connection was reset; as over TCP, the
     *     first write after the peer's close may succeed although nobody reads the bytes
     */
    @Override
    public int write(ByteBuffer from) throws IOException {
        int bytes = stream.write(from);
        while (blocking && from.hasRemaining() && await(Stream.WRITABLE, Long.MAX_VALUE)) {
            bytes += stream.write(from);
        }
        return bytes;
    }

    /** As {@link #write(ByteBuffer)}; returns the number of bytes that were written within the limit. */
    public int write(ByteBuffer from, Duration limit) throws IOException {
        long nanos = nanos(limit);
        long start = System.nanoTime();
        int bytes = stream.write(from);
        while (from.hasRemaining() && await(Stream.WRITABLE, Math.max(0, nanos - (System.nanoTime() - start)))) {
            bytes += stream.write(from);
        }
        return bytes;
    }

    @Override
    public long write(ByteBuffer[] from) throws IOException {
        return write(from, 0, from.length);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            total += write(from[i]);
            if (from[i].hasRemaining()) {
                return total;
            }
        }
        return total;
    }

    // Direct writes.

    /**
     * Memory of this side that the peer writes without a message ({@code riomap}). Until the mapping or its channel is
     * closed, the peer may write at any moment, and the memory stays pinned. Safe for use by several threads.
     */
    public static final class Mapping implements AutoCloseable {
        /** Stays open while the mapping is in use. */
        private final RsocketChannel channel;

        private final DirectMemory.Window window;

        private Mapping(RsocketChannel channel, DirectMemory.Window window) {
            this.channel = channel;
            this.window = window;
        }

        /** Returns the offset by which the peer names the first byte. */
        public long offset() {
            return window.offset();
        }

        /**
         * Deregisters the memory, and makes room for another mapping ({@code riounmap}). The peer is not told; if the peer
         * writes to the memory afterwards, the connection is reset. Idempotent.
         */
        @Override
        public void close() throws IOException {
            window.close();
        }

        @Override
        public String toString() {
            return "Mapping[" + window + " of " + channel + "]";
        }
    }

    /**
     * Maps the bytes of a direct buffer from its position to its limit, so that the peer can write them ({@code riomap}).
     * The peer knows of the mapping when it reads what this side writes afterwards.
     *
     * @param offset the offset by which the peer names the first byte, 0 or more; mappings may not overlap
     * @throws IllegalArgumentException if the buffer is on the heap, read-only or empty, or the offset is wrong
     * @throws IOException if the memory cannot be registered, or the peer has no room for another mapping: see {@link
     *     RsocketOptions.Builder#iomaps}
     */
    public Mapping map(ByteBuffer memory, long offset) throws IOException {
        return new Mapping(this, stream.direct().map(memory, OptionalLong.of(offset)));
    }

    /** As {@link #map(ByteBuffer, long)}; the offset is the address of the first byte. */
    public Mapping map(ByteBuffer memory) throws IOException {
        return new Mapping(this, stream.direct().map(memory, OptionalLong.empty()));
    }

    /** As {@link #map(ByteBuffer, long)}, for all bytes of mapped memory, at most 2^32 - 1. */
    public Mapping map(MappedMemory memory, long offset) throws IOException {
        return new Mapping(this, stream.direct().map(memory, OptionalLong.of(offset)));
    }

    /** As {@link #map(MappedMemory, long)}; the offset is the address of the first byte. */
    public Mapping map(MappedMemory memory) throws IOException {
        return new Mapping(this, stream.direct().map(memory, OptionalLong.empty()));
    }

    /**
     * Writes to memory that the peer has mapped ({@code riowrite}): all bytes if the channel is blocking, otherwise those
     * for which there is room. The peer is not told; bytes of {@link #write(ByteBuffer)} arrive after those of direct
     * writes before it. The buffer can be used again at once.
     *
     * @param offset where to write, by the offsets that the peer gave to its mappings
     * @return the number of bytes
     * @throws IOException with the reasons of {@link #write(ByteBuffer)}; also if the peer has not mapped memory for all
     *     bytes, and then none of the remaining bytes is written
     */
    public int writeAt(long offset, ByteBuffer from) throws IOException {
        int bytes = stream.direct().writeAt(offset, from);
        while (blocking && from.hasRemaining() && await(Stream.WRITABLE_DIRECTLY, Long.MAX_VALUE)) {
            bytes += stream.direct().writeAt(offset + bytes, from);
        }
        return bytes;
    }

    private boolean await(int what, long nanos) throws IOException {
        try {
            return stream.await(what, nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ClosedByInterruptException interrupted = new ClosedByInterruptException();
            try {
                close();
            } catch (IOException alsoThrown) {
                interrupted.addSuppressed(alsoThrown);
            }
            throw interrupted;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Ends the output: the peer reads all bytes and then the end of the stream ({@code rshutdown(SHUT_WR)}). */
    public void shutdownOutput() throws IOException {
        stream.shutdownOutput();
    }

    /** Ends the input: what comes is dropped, and reads return -1 ({@code rshutdown(SHUT_RD)}). */
    public void shutdownInput() throws IOException {
        stream.shutdownInput();
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    /**
     * Closes the channel, and ends both directions for the peer. Waits until the peer has the bytes that were written, at
     * most for the time of {@link RsocketOptions.Builder#linger}; an interrupt does not end this wait. A thread that waits in a
     * read or a write gets an {@link java.nio.channels.AsynchronousCloseException}. Idempotent.
     */
    @Override
    public void close() throws IOException {
        try {
            closed = true;
            stream.close();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public String toString() {
        return "RsocketChannel[" + stream + "]";
    }
}
