// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.internal.rsocket.connections.Connections;
import io.github.rdma4j.internal.rsocket.connections.Member;
import io.github.rdma4j.internal.rsocket.connections.Traffic;
import io.github.rdma4j.internal.rsocket.wire.Protocol;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connected stream of bytes on any wire: what it is ready for, those who wait for that, and the ends of its two directions.
 * A subclass has the bytes of one wire. Threads that use the stream process its completions; the thread of the event loop tells
 * it of the end of the connection. Safe for use by several threads.
 */
public abstract class StreamLife implements AutoCloseable, Member {
    private static final Duration BACKGROUND = Duration.ofMinutes(1);

    /** The stream can be read, or is at its end. */
    public static final int READABLE = 1;

    /** The stream can be written, or a write fails at once. */
    public static final int WRITABLE = 2;

    /** The memory of the peer can be written, or such a write fails at once. */
    public static final int WRITABLE_DIRECTLY = 4;

    /** No byte will come any more: a read returns -1, or throws. */
    public static final int ENDED = 8;

    /** Guards everything. */
    protected final ReentrantLock lock;

    /** What completions and failures have made of the stream. */
    protected final StreamState state;

    private final Protocol engine;
    private final StreamSettings settings;
    private final Connection connection;
    private final StreamEvents events;
    final StreamClosing closing;
    private volatile KeepAlive keepAlive;

    /** The uses of the stream at the last {@link #ready()}. */
    private long usesAsked;

    /** The end of the connection, if it came before {@link #begin}: a peer may speak and close before this side is told. */
    private @Nullable RdmaException early;

    /** Creates a stream of a connection that is being made. */
    protected StreamLife(Connection connection, Link link, Protocol engine, StreamSettings settings) {
        this.connection = connection;
        this.engine = engine;
        this.settings = settings;
        StreamService service = StreamService.of(settings.kernel());
        state = new StreamState(link, engine);
        lock = state.lock;
        events = new StreamEvents(state, service);
        closing = new StreamClosing(state, events, service, this::closeConnection);
        keepAlive = new KeepAlive(engine, Probes.NEVER, () -> 0, never -> {});
    }

    /**
     * The connection of a stream.
     *
     * @param local the local address
     * @param peer the address of the peer
     * @param device the name of the device
     * @param close closes the connection and its queue pair
     */
    public record Connection(InetSocketAddress local, InetSocketAddress peer, String device, FirstFailure.Step close) {
        /** What a stream needs of a connection that is being made. */
        public static Connection of(CmConnection made) {
            return new Connection(
                    made.id().localAddress().orElseThrow(),
                    made.id().peerAddress().orElseThrow(),
                    made.id().context().device().name(),
                    made::close);
        }
    }

    /** The local address. */
    public final InetSocketAddress localAddress() {
        return connection.local;
    }

    /** The address of the peer. */
    public final InetSocketAddress peerAddress() {
        return connection.peer;
    }

    // For those who ask which connections there are.

    /** The name of the wire. */
    protected abstract String wire();

    @Override
    public final Traffic traffic() {
        return state.traffic();
    }

    @Override
    public final String reason() {
        return "";
    }

    @Override
    public final Member.Facts facts() {
        lock.lock();
        try {
            return new Member.Facts(
                    wire(), connection.device, connection.local, connection.peer, condition(), engine.toString());
        } finally {
            lock.unlock();
        }
    }

    private String condition() {
        if (state.closed) {
            return "closing";
        }
        if (state.failure != null) {
            return "failed: " + state.failure.getMessage();
        }
        if (engine.peerGone()) {
            return "the peer has closed";
        }
        return engine.outputOpen() ? "open" : "has shut down its output";
    }

    // Waiting.

    /** What can be done without waiting, as the sum of the constants. Processes completions. */
    public final int ready() {
        lock.lock();
        try {
            state.process();
            usesAsked = state.uses;
            return readyNow();
        } finally {
            lock.unlock();
        }
    }

    private int readyNow() {
        boolean over = state.closed || state.failure != null;
        int readable = over || engine.available() > 0 || engine.atEnd() ? READABLE : 0;
        boolean shut = state.isOutputOver();
        int writable = shut || engine.maySend() ? WRITABLE : 0;
        int ended = engine.atEnd() || (over && engine.available() == 0) ? ENDED : 0;
        return readable | writable | ended | (shut || engine.mayWriteAt() ? WRITABLE_DIRECTLY : 0);
    }

    /** True if the peer has said that it listens no more, and nothing has failed. */
    public final boolean isPeerGone() {
        lock.lock();
        try {
            return engine.peerGone() && state.failure == null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until one of {@code what} is ready, the stream is closed, or the time is over.
     *
     * @param what {@link #READABLE}, {@link #WRITABLE} or {@link #WRITABLE_DIRECTLY}
     * @param nanos the limit; {@link Long#MAX_VALUE} for none
     * @return false if the time is over
     * @throws AsynchronousCloseException if another thread closes the stream
     */
    public final boolean await(int what, long nanos) throws IOException, InterruptedException {
        long start = nanos == Long.MAX_VALUE ? 0 : System.nanoTime();
        lock.lock();
        try {
            state.requireOpen();
            poll(what);
            long left = nanos;
            while ((readyNow() & what) == 0) {
                if (left <= 0) {
                    return false;
                }
                events.sleep(left);
                left = nanos == Long.MAX_VALUE ? nanos : nanos - (System.nanoTime() - start);
            }
            if (state.closed) {
                throw new AsynchronousCloseException();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Polls for a short time, because a sleep costs three system calls. */
    private void poll(int what) {
        state.process();
        long limit = settings.times().polling().toNanos();
        if (limit > 0 && (readyNow() & what) == 0) {
            long start = System.nanoTime();
            while ((readyNow() & what) == 0 && System.nanoTime() - start < limit) {
                Thread.onSpinWait();
                state.process();
            }
        }
    }

    // For an event loop.

    /** The source of events, which is readable after the completion that {@link #arm} asked for. */
    public final Pollable.Descriptor descriptor() {
        return state.queues.descriptor();
    }

    /**
     * Asks for an event of the descriptor at the next completion, and looks at what is ready then, in one step: another thread
     * that uses the stream may take completions between two steps, and nobody would tell of what they bring.
     *
     * @param what what is waited for, as the sum of the constants
     * @return false if one of {@code what} is ready, or something has happened: ask {@link #ready()} again, instead of sleeping.
     *     True also after the end of the connection, when nothing changes any more
     */
    public final boolean arm(int what) {
        lock.lock();
        try {
            boolean quiet = !state.isUsable() || events.request();
            return quiet && (readyNow() & what) == 0;
        } finally {
            lock.unlock();
        }
    }

    /**
     * As {@link #arm}, for a loop that alone asks {@link #ready()}, and waits for whatever its answer did not have: completions that
     * any thread has taken since that question forbid the sleep.
     */
    public final boolean armSinceReady() {
        lock.lock();
        try {
            return !state.isUsable() || (state.uses == usesAsked && events.request());
        } finally {
            lock.unlock();
        }
    }

    /** Reads the event of a readable descriptor, so that it is readable no longer. */
    public final void takeEvent() {
        lock.lock();
        try {
            events.read();
        } catch (InterruptedException impossible) {
            throw new AssertionError("reading an event does not wait", impossible);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets what is called when {@link #ready()} may have changed although no completion has come: another thread has shut down
     * or closed the stream, or the connection or the device is gone. The action runs on whichever thread made the change, with
     * the lock of the stream: it may wake a loop, and must neither wait nor use the stream. What it throws goes to the
     * thread's handler of uncaught exceptions. Ask {@link #ready()} after this, for what has happened before.
     */
    public final void onChange(Runnable action) {
        state.onChange = action;
    }

    // What the event loop tells.

    /** What the peer is told of this side. */
    protected abstract byte[] description();

    /** Begins with what the peer told of itself; {@code accepted} on the passive side. */
    protected abstract void begin(byte[] told, boolean accepted) throws IOException;

    /** A step that the peer may hear of. */
    @FunctionalInterface
    protected interface Words {
        /** Called with the lock. */
        void say() throws IOException;
    }

    /** The engine starts with what the peer told of itself: from now on completions are processed. */
    protected final void begin(Words start) throws IOException {
        lock.lock();
        try {
            start.say();
            state.begun = true;
            closing.begun();
            if (!state.linkClosed) {
                Connections.OF_PROCESS.opened(this);
            }
            state.queues.flush();
            state.process();
            if (early != null) {
                end(early);
            }
        } finally {
            lock.unlock();
        }
        keepAlive(Probes.every(settings.times().keepAlive()));
    }

    /** From now on the peer's device is asked whether it still answers. */
    public final void keepAlive(Probes probes) {
        lock.lock();
        try {
            keepAlive.end();
            if (!state.closed) {
                keepAlive = new KeepAlive(engine, probes, () -> state.uses, current -> say(current::step));
                keepAlive.start();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes what has come, for a stream that its program does not have yet. */
    final void look() {
        say(() -> {});
    }

    /** Says something when its time has come. */
    final void say(Words words) {
        lock.lock();
        try {
            if (!state.isUsable()) {
                return;
            }
            state.process();
            words.say();
            state.flush();
        } catch (RdmaException broken) {
            state.fail(Resets.reset(broken));
        } catch (IOException unanswered) {
            state.fail(unanswered);
        } finally {
            state.changed();
            lock.unlock();
        }
    }

    /** The connection is over; called by the thread of the event loop. */
    final void ended(CmEvent event) {
        if (!event.type().endsConnection()) {
            return;
        }
        boolean removed = event.type() == CmEventType.DEVICE_REMOVAL;
        lock.lock();
        try {
            if (removed) {
                state.process();
                state.fail(Resets.reset(event.toException()));
            } else if (state.begun) {
                state.process();
                end(event.toException());
            } else {
                early = event.toException();
            }
            state.changed();
        } finally {
            lock.unlock();
        }
        if (removed) {
            closing.closeLinkLater();
        }
    }

    /** All that came before is processed. */
    private void end(RdmaException why) {
        if (engine.peerGone()) {
            engine.lost();
        } else {
            state.fail(Resets.reset(why));
        }
    }

    // The end.

    /** Ends the output: the peer reads the end of the stream after all bytes. */
    public final void shutdownOutput() throws IOException {
        shutdown(engine::shutdownOutput);
    }

    /** Ends the input: what comes is dropped. */
    public final void shutdownInput() throws IOException {
        shutdown(engine::shutdownInput);
    }

    private void shutdown(Words words) throws IOException {
        lock.lock();
        try {
            state.requireOpen();
            if (state.failure == null) {
                words.say();
                state.flush();
            }
            state.changed();
        } catch (RdmaException broken) {
            throw state.failed(broken);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes the stream, and waits until the peer has what was written, at most for the time of the settings. An interrupt does not
     * end the wait, since the bytes would be lost; the thread is interrupted afterwards.
     */
    @Override
    public final void close() throws IOException {
        close(settings.times().linger());
    }

    /** As {@link #close()}, with a limit; zero resets the connection. */
    public final void close(Duration linger) throws IOException {
        closing.close(linger);
    }

    /**
     * Closes the stream, and waits for the peer as long as a socket with SO_LINGER does; what the peer does not have then leaves in
     * the background, as after {@link #closeInBackground()}.
     */
    public final void closeAfter(Duration wait) throws IOException {
        closing.close(wait, BACKGROUND);
    }

    /** Closes the stream as a socket without SO_LINGER: what was written may take a minute to reach the device of the peer. */
    public final void closeInBackground() {
        closeLater(BACKGROUND);
    }

    /** As {@link #close()}, but no thread waits. */
    public final void closeLater() {
        closeLater(settings.times().linger());
    }

    /** As {@link #closeLater()}, with a limit; zero resets the connection. */
    public final void closeLater(Duration linger) {
        closing.closeLater(linger);
    }

    /** Closes the stream without a word to the peer, which sees that the connection is reset. Nothing if a close has begun. */
    final void abort() throws RdmaException {
        closing.abort();
    }

    /** As {@link #abort()}, on a thread that may block. */
    public final void abortLater() {
        StreamService.end(closing::abort);
    }

    /** Called once, before the queues are destroyed. */
    private void closeConnection() throws RdmaException {
        keepAlive.end();
        Connections.OF_PROCESS.closed(this);
        FirstFailure first = new FirstFailure();
        first.attempt(connection.close);
        first.attempt(this::closeOthers);
        first.throwIfAny();
    }

    /** Ends what the stream has beside its link. Called once, after the connection was closed. */
    protected void closeOthers() throws RdmaException {
        // Most streams have nothing else.
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + connection.local + " to " + connection.peer + "]";
    }
}
