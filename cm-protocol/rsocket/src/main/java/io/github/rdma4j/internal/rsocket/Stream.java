// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.internal.rsocket.wire.ConnData;
import io.github.rdma4j.internal.rsocket.wire.StreamEngine;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Future;

/**
 * A connected stream of bytes. Threads that use it process its completions; the thread of the event loop tells it of the
 * end of the connection. Safe for use by several threads.
 *
 * <p>Threads wait in {@link #await}. An event loop does not: it watches {@link #descriptor()}; when the descriptor is readable, the
 * loop calls {@link #takeEvent()} and then {@link #ready()}, {@link #read}, {@link #write}; before it sleeps, it calls {@link #arm}
 * with what it waits for, and goes on if that returns false. An answer of {@link #ready()} before that is worth nothing when other
 * threads use the stream; a loop that alone asks for such answers may call {@link #armSinceReady} instead. What no completion
 * tells of comes by {@link #onChange}. The loop must ask {@link #ready()} after each event also if nobody wants to read or
 * write, since this gives the peer memory and credits. A loop closes with {@link #closeLater}. {@link StreamConnect} connects
 * for a loop, and {@link StreamListener} accepts.
 */
public final class Stream extends StreamLife {
    private static final Duration PEER_READS_REPLY = Duration.ofMillis(200);

    /** A send buffer that is not used for so long makes way for a small one. */
    private static final Duration REST = Duration.ofSeconds(2);

    private final StreamLink link;
    private final StreamEngine engine;
    private final DirectMemory direct;

    /** An event loop processes the completions at any time. */
    private boolean attended;

    /** The last write could not write everything. */
    private boolean wasShort;

    /** A write has succeeded after the peer had closed the connection. */
    private boolean wroteToNobody;

    private Stream(Connection connection, StreamLink link, StreamEngine engine, StreamSettings settings) {
        super(connection, link, engine, settings);
        this.link = link;
        this.engine = engine;
        direct = new DirectMemory(state, link, engine);
        link.onLargerSendBuffer(this::restLater);
    }

    /** Returns what makes a stream of rsocket's wire. */
    public static StreamMaking<Stream> making(StreamSettings settings) {
        return id -> {
            StreamLink link = StreamLink.open(id, settings);
            return new StreamMaking.Opened<>(
                    link, made -> new Stream(Connection.of(made), link, link.prepare(made.qp()), settings));
        };
    }

    @Override
    protected String wire() {
        return "rsocket";
    }

    @Override
    protected byte[] description() {
        return engine.description().encode();
    }

    /**
     * {@inheritDoc}
     *
     * <p>On iWARP the side that connects must send first, because its device may still read the reply to its request: siw
     * gives up a connection if the reply and a message are there at once. C's peers send at their first call that reads or
     * writes; a peer that makes none is waited for until it surely has read the reply.
     */
    @Override
    protected void begin(byte[] told, boolean accepted) throws IOException {
        ConnData other = ConnData.decode(told);
        begin(() -> {
            if (accepted && link.isIwarp()) {
                engine.letPeerSpeakFirst();
                Future<?> unused = StreamService.after(PEER_READS_REPLY, () -> say(engine::speak));
            }
            engine.connected(other);
        });
        if (link.mayGrow()) {
            StreamService.lookAfter(this::lookAfter);
        }
    }

    /** Takes what has come, if no thread uses the stream; returns false if nobody has to look after the stream any more. */
    private boolean lookAfter() {
        if (!lock.tryLock()) {
            return true;
        }
        try {
            if (state.process()) {
                state.changed();
            }
            return !attended && !state.closed && state.isUsable() && engine.mayGrow();
        } finally {
            lock.unlock();
        }
    }

    private void restLater() {
        Future<?> unused = StreamService.after(REST, this::rest);
    }

    private void rest() {
        lock.lock();
        try {
            boolean any = state.process();
            if (state.isUsable() && !state.closed && engine.rest()) {
                restLater();
            }
            state.flush();
            if (any) {
                state.changed();
            }
        } catch (RdmaException broken) {
            state.fail(Resets.reset(broken));
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected void closeOthers() throws RdmaException {
        direct.close();
    }

    /** The direct writes of both sides. */
    public DirectMemory direct() {
        return direct;
    }

    /** As {@link StreamEngine#holdBytes()}: for an event loop, which processes the completions of its streams at any time. */
    public void holdBytes() {
        lock.lock();
        try {
            engine.holdBytes();
            attended = true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reads without waiting.
     *
     * @return the number of bytes; 0 if there are none now, -1 at the end of the stream
     */
    public int read(ByteBuffer into) throws IOException {
        lock.lock();
        try {
            state.requireOpen();
            if (!into.hasRemaining()) {
                return 0;
            }
            return hasBytes() ? take(into) : nothing();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #read(ByteBuffer)}, into {@code length} buffers, of which one has room. */
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        lock.lock();
        try {
            state.requireOpen();
            if (!hasBytes()) {
                return nothing();
            }
            long bytes = 0;
            for (int i = offset; i < offset + length && engine.available() > 0; i++) {
                bytes += take(into[i]);
            }
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    private boolean hasBytes() {
        if (engine.available() == 0) {
            state.process();
        }
        return engine.available() > 0;
    }

    /** What a read returns that finds no bytes. */
    private int nothing() throws IOException {
        if (engine.atEnd()) {
            return -1;
        }
        state.throwFailure();
        return 0;
    }

    /** The number of bytes that a read would return at most. */
    public int available() throws IOException {
        lock.lock();
        try {
            state.requireOpen();
            state.process();
            return engine.available();
        } finally {
            lock.unlock();
        }
    }

    /** A failure to give the peer room does not lose the bytes: the next call reports it. */
    private int take(ByteBuffer into) {
        int before = into.remaining();
        try {
            int unused = engine.read(into);
            state.flush();
        } catch (RdmaException broken) {
            state.fail(Resets.reset(broken));
        }
        int bytes = before - into.remaining();
        state.traffic().read(bytes);
        return bytes;
    }

    /** Copies bytes without waiting, and leaves them to the next read. */
    public int peek(ByteBuffer into) throws IOException {
        lock.lock();
        try {
            state.requireOpen();
            state.process();
            return engine.peek(into);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Writes without waiting.
     *
     * @return the number of bytes, which may be 0
     */
    public int write(ByteBuffer from) throws IOException {
        lock.lock();
        try {
            if (!reachesPeer()) {
                return drop(from);
            }
            int bytes = put(from);
            wasShort = from.hasRemaining();
            state.flush();
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #write(ByteBuffer)}, from {@code length} buffers. */
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        lock.lock();
        try {
            boolean reaches = reachesPeer();
            long bytes = 0;
            for (int i = offset; i < offset + length && !wasShort; i++) {
                bytes += reaches ? put(from[i]) : drop(from[i]);
                wasShort = from[i].hasRemaining();
            }
            state.flush();
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Refuses a write that cannot succeed. As over TCP, the first write after the peer has closed the connection succeeds, although
     * its bytes go nowhere: a program that writes before it reads still reads what the peer has sent.
     *
     * @return false if the bytes go nowhere
     */
    private boolean reachesPeer() throws IOException {
        state.process(); // a thread that only writes would not hear of the end of the connection
        boolean first = state.failure == null
                && !state.closed
                && engine.outputOpen()
                && engine.peerGone()
                && !wroteToNobody
                && !wasShort;
        wasShort = false;
        if (first) {
            wroteToNobody = true;
            return false;
        }
        state.requireOutput();
        return true;
    }

    private static int drop(ByteBuffer from) {
        int bytes = from.remaining();
        from.position(from.limit());
        return bytes;
    }

    private int put(ByteBuffer from) throws IOException {
        int before = from.remaining();
        try {
            return putAll(from);
        } finally {
            state.traffic().wrote(before - from.remaining(), from.hasRemaining() && engine.awaitsPeer());
        }
    }

    /** What has been sent counts, though the connection ends in between: the next write hears of that. */
    private int putAll(ByteBuffer from) throws IOException {
        int bytes = send(from);
        while (from.hasRemaining() && state.process()) {
            if (bytes > 0 && (state.failure != null || engine.peerGone())) {
                return bytes;
            }
            state.requireOutput();
            int sent = send(from);
            bytes += sent;
            if (sent == 0) {
                return bytes;
            }
        }
        return bytes;
    }

    private int send(ByteBuffer from) throws IOException {
        try {
            return engine.write(from);
        } catch (RdmaException broken) {
            throw state.failed(broken);
        }
    }
}
