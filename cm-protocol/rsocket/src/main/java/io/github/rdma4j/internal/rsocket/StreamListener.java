// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.internal.cm.Shortage;
import io.github.rdma4j.internal.rsocket.connections.Connections;
import io.github.rdma4j.internal.rsocket.connections.Listening;
import io.github.rdma4j.internal.rsocket.wire.ConnData;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections before the program asks for them, as C does: a client connects, and may write, while the server is
 * busy. The backlog bounds the connections that wait. A slow client holds up no other. For want of descriptors, memory or queue
 * pairs a client is refused, and told why. Safe for use by several threads.
 *
 * <p>Threads wait in {@link #accept}. An event loop calls {@link #poll()} when {@link #onChange} has told it to, until that
 * returns null; {@link #isReady()} says whether it would.
 *
 * @param <S> the streams
 */
public final class StreamListener<S extends StreamLife> implements AutoCloseable {
    private final StreamSettings settings;
    private final Wires<S> wires;
    private final int backlog;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<S> accepted = new ArrayDeque<>();
    private @Nullable CmListener listener;
    private @Nullable Listening told;

    /** The requests that nothing was made for yet. */
    private final Deque<Waiting<? extends S>> requests = new ArrayDeque<>();

    /** The requests, of those that were not refused, that the peer has not confirmed. */
    private int unconfirmed;

    /** Somebody looks at the connections that wait. */
    private boolean attended;

    private boolean closed;
    private @Nullable RdmaException failure;

    /** Of an event loop. */
    private volatile Runnable onChange = () -> {};

    private final ShortageReports shortages = new ShortageReports();

    /** A request, and what makes a stream of it. */
    private record Waiting<S extends StreamLife>(CmRequest request, StreamMaking<S> making) {}

    private StreamListener(StreamSettings settings, Wires<S> wires, int backlog) {
        this.settings = settings;
        this.wires = wires;
        this.backlog = backlog;
    }

    /**
     * The wires of a listener.
     *
     * @param <S> the streams
     */
    @FunctionalInterface
    public interface Wires<S extends StreamLife> {
        /** Returns what makes a stream of a request with this private data; null for a wire that is not spoken here. */
        @Nullable
        StreamMaking<? extends S> of(byte[] privateData);
    }

    /** Starts listening for streams of rsocket's wire. */
    public static StreamListener<Stream> listen(InetSocketAddress at, int backlog, StreamSettings settings)
            throws RdmaException {
        return listen(at, backlog, settings, data -> ConnData.isValid(data) ? Stream.making(settings) : null);
    }

    /** Starts listening. */
    public static <S extends StreamLife> StreamListener<S> listen(
            InetSocketAddress at, int backlog, StreamSettings settings, Wires<S> wires) throws RdmaException {
        ShortageReports.prepare();
        StreamListener<S> made = new StreamListener<>(settings, wires, backlog);
        StreamService service = StreamService.of(settings.kernel());
        CmEventLoop loop = service.use();
        CmListener started = Undo.onFailure(() -> loop.listen(at, backlog, made::take), service::endUse);
        started.onEvent(event -> made.eventCame(started, event));
        made.listener = started;
        made.told = Connections.OF_PROCESS.listens(new Listening(started.address(), backlog, ""));
        return made;
    }

    /** The local address. */
    public InetSocketAddress address() {
        return started().address();
    }

    private CmListener started() {
        if (listener == null) {
            throw new IllegalStateException("not listening yet");
        }
        return listener;
    }

    private void take(CmRequest request) throws RdmaException {
        StreamMaking<? extends S> making = wires.of(request.event().privateData());
        if (making == null) {
            request.reject(new byte[0]);
            return;
        }
        lock.lock();
        try {
            if (closed || unconfirmed + accepted.size() >= backlog) {
                StreamService.later(() -> reject(request, making.full()));
                return;
            }
            requests.add(new Waiting<>(request, making));
            unconfirmed++;
        } finally {
            lock.unlock();
        }
        answer();
    }

    private static void reject(CmRequest request, byte[] answer) {
        try {
            request.reject(answer);
        } catch (RdmaException clientHasGivenUp) {
            // The request is closed.
        }
    }

    /** Accepts the requests that wait. */
    private void answer() {
        for (Waiting<? extends S> next = take(); next != null; next = take()) {
            accept(next);
        }
    }

    private @Nullable Waiting<? extends S> take() {
        lock.lock();
        try {
            return closed ? null : requests.poll();
        } finally {
            lock.unlock();
        }
    }

    private <T extends S> void accept(Waiting<T> next) {
        StreamMaking.@Nullable Opened<T> opened = null;
        try {
            opened = next.making.open(next.request.id());
            CompletableFuture<?> unused =
                    StreamSetup.accept(next.request, settings, opened).whenComplete(this::confirmed);
        } catch (RdmaException | RuntimeException | Error e) {
            if (opened != null) {
                StreamService.later(opened::release);
            }
            refuse(next.request, e);
        }
    }

    private void refuse(CmRequest refused, @Nullable Throwable why) {
        Shortage shortage = Shortage.of(why);
        if (shortage == null) {
            StreamService.later(refused::close);
        } else {
            StreamService.later(() -> reject(refused, shortage.encode()));
        }
        confirmed(null, why);
    }

    /** {@code stream} is null if the peer gave up, or {@code failure} says why there is none. */
    private void confirmed(@Nullable S stream, @Nullable Throwable failure) {
        boolean kept = false;
        lock.lock();
        try {
            unconfirmed--;
            if (stream != null && !closed) {
                accepted.add(stream);
                kept = true;
                changed();
                attend();
            }
        } finally {
            lock.unlock();
            if (stream != null && !kept) {
                stream.abortLater();
            }
        }
        if (failure != null && Shortage.of(failure) != null) {
            shortages.refused(address(), failure); // the log may be slow, or use the listener
        }
    }

    /** What comes for connections that wait is taken now and then: they may share their receives with others. */
    private void attend() {
        if (!attended) {
            attended = true;
            StreamService.lookAfter(this::lookAtThoseThatWait);
        }
    }

    /** Returns false if none waits. */
    private boolean lookAtThoseThatWait() {
        List<S> waiting;
        lock.lock();
        try {
            waiting = List.copyOf(accepted);
            attended = !waiting.isEmpty();
        } finally {
            lock.unlock();
        }
        waiting.forEach(StreamLife::look);
        return !waiting.isEmpty();
    }

    /** A request that cannot be looked at, for want of descriptors for example, is refused; others are served. */
    private void eventCame(CmListener from, CmEvent event) {
        if (event.type() == CmEventType.DEVICE_REMOVAL) {
            ended(from, event.toException());
        } else {
            shortages.refused(from.address(), event.toException());
        }
    }

    /** The device is gone, and waits for those who still use it. */
    private void ended(CmListener ending, RdmaException why) {
        lock.lock();
        try {
            failure = why;
            changed();
        } finally {
            lock.unlock();
        }
        StreamService.later(ending::close);
    }

    /** Wakes whoever waits. Needs the lock. */
    private void changed() {
        changed.signalAll();
        StreamService.tell(onChange);
    }

    /**
     * Sets what is called when a connection waits to be accepted, when the listener has failed, and when it is closed. The action
     * runs on whichever thread made the change, with the lock of the listener: it may wake a loop, and must neither wait nor use
     * the listener. What it throws goes to the thread's handler of uncaught exceptions. Ask {@link #isReady()} after this, for
     * what has happened before.
     */
    public void onChange(Runnable action) {
        onChange = action;
    }

    /** Sets what hears, without the lock and at most every ten seconds, of used up descriptors, memory or queue pairs; must not wait. */
    public void onShortage(Consumer<Throwable> action) {
        shortages.also(action);
    }

    /** True if {@link #poll()} would return a connection, or throw. */
    public boolean isReady() {
        lock.lock();
        try {
            return closed || failure != null || !accepted.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the next connection, or null if there is none; does not wait. */
    public @Nullable S poll() throws IOException {
        lock.lock();
        try {
            return next();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable S next() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        RdmaException ended = failure;
        if (accepted.isEmpty() && ended != null) {
            throw new SocketException("the listener has ended: " + ended.getMessage());
        }
        S stream = accepted.poll();
        if (stream != null && told != null) {
            told.accepted();
        }
        return stream;
    }

    /**
     * Returns the next connection.
     *
     * @param nanos the limit; 0 does not wait, {@link Long#MAX_VALUE} waits without a limit
     * @return null if the time is over
     */
    public @Nullable S accept(long nanos) throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            S found = next();
            long left = nanos;
            while (found == null && left > 0) {
                left = nanos == Long.MAX_VALUE ? await() : changed.awaitNanos(left);
                if (closed) {
                    throw new AsynchronousCloseException();
                }
                found = next();
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the caller's loop
    private long await() throws InterruptedException {
        changed.await();
        return Long.MAX_VALUE;
    }

    /** As {@link #close()}, on a thread that may block. */
    public void closeLater() {
        StreamService.later(this::close);
    }

    /** Stops listening, and resets the connections that wait. */
    @Override
    public void close() throws RdmaException {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true; // from here on only this thread uses the queues
            changed();
        } finally {
            lock.unlock();
        }
        if (told != null) {
            Connections.OF_PROCESS.listensNoMore(told);
        }
        try {
            for (S stream = accepted.poll(); stream != null; stream = accepted.poll()) {
                stream.abortLater();
            }
            for (Waiting<? extends S> next = requests.poll(); next != null; next = requests.poll()) {
                refuse(next.request, null);
            }
            started().close();
        } finally {
            StreamService.of(settings.kernel()).endUse();
        }
    }

    @Override
    public String toString() {
        return "StreamListener[" + started() + "]";
    }
}
