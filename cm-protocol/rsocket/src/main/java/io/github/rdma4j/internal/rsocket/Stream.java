// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.internal.rsocket.wire.ConnData;
import io.github.rdma4j.internal.rsocket.wire.StreamEngine;
import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connected stream of bytes. Threads that use it process its completions; the thread of the event loop tells it of the
 * end of the connection. Safe for use by several threads.
 *
 * <p>Threads wait in {@link #await}. An event loop does not: it watches {@link #descriptor()}; when the descriptor is readable, the
 * loop calls {@link #takeEvent()} and then {@link #ready()}, {@link #read}, {@link #write}; before it sleeps, it calls {@link #arm()},
 * and goes on if that returns false. What no completion tells of comes by {@link #onChange}. It must ask {@link #ready()} after
 * each event also if nobody wants to read or write, since this gives the peer memory and credits. A loop closes with
 * {@link #closeLater}. {@link StreamConnect} connects for a loop, and {@link StreamListener} accepts.
 */
public final class Stream extends StreamBytes implements AutoCloseable {
    private static final Duration PEER_READS_REPLY = Duration.ofMillis(200);

    private final CmConnection connection;
    private final InetSocketAddress local;
    private final InetSocketAddress peer;
    private final DirectMemory direct;

    private final KeepAlive keepAlive;

    /** The end of the connection, if it came before {@link #begin}: a peer may speak and close before this side is told. */
    private @Nullable RdmaException early;

    Stream(CmConnection connection, StreamLink link, StreamEngine engine, StreamSettings settings) {
        super(link, engine, settings);
        this.connection = connection;
        this.direct = new DirectMemory(this, link, engine, lock);
        this.keepAlive = new KeepAlive(engine);
        this.local = connection.id().localAddress().orElseThrow();
        this.peer = connection.id().peerAddress().orElseThrow();
    }

    /** The direct writes of both sides. */
    public DirectMemory direct() {
        return direct;
    }

    /** The local address. */
    public InetSocketAddress localAddress() {
        return local;
    }

    /** The address of the peer. */
    public InetSocketAddress peerAddress() {
        return peer;
    }

    // What the event loop tells.

    /**
     * Begins with what the peer told of itself; {@code accepted} on the passive side.
     *
     * <p>On iWARP the side that connects must send first, because its device may still read the reply to its request: siw
     * gives up a connection if the reply and a message are there at once. C's peers send at their first call that reads or
     * writes; a peer that makes none is waited for until it surely has read the reply.
     */
    void begin(ConnData other, boolean accepted) throws RdmaException {
        lock.lock();
        try {
            if (accepted && link.isIwarp()) {
                engine.letPeerSpeakFirst();
                StreamService.after(PEER_READS_REPLY, this::speak);
            }
            engine.connected(other);
            begun = true;
            link.flush();
            process();
            if (early != null) {
                end(early);
            }
        } finally {
            lock.unlock();
        }
        keepAlive(settings.times().keepAlive());
    }

    /** From now on the peer's device is asked after each {@code period} whether it still answers; zero asks never. */
    public void keepAlive(Duration period) {
        lock.lock();
        try {
            keepAlive.end();
            if (!closed) {
                keepAlive.start(period, this::keepAlive);
            }
        } finally {
            lock.unlock();
        }
    }

    private void speak() {
        boolean unused = say(engine::speak);
    }

    private void keepAlive() {
        if (!say(keepAlive::ask)) {
            keepAlive.end();
        }
    }

    @FunctionalInterface
    private interface Words {
        void say() throws IOException;
    }

    /** Says something when its time has come. Returns false if the stream is over. */
    private boolean say(Words words) {
        lock.lock();
        try {
            if (linkClosed || failure != null) {
                return false;
            }
            process();
            words.say();
            flush();
        } catch (RdmaException broken) {
            fail(Resets.reset(broken));
        } catch (IOException unanswered) {
            fail(unanswered);
        } finally {
            changed();
            lock.unlock();
        }
        return true;
    }

    /** The connection is over; called by the thread of the event loop. */
    void ended(CmEvent event) {
        if (!event.type().endsConnection()) {
            return;
        }
        boolean removed = event.type() == CmEventType.DEVICE_REMOVAL;
        lock.lock();
        try {
            if (removed) {
                process();
                fail(Resets.reset(event.toException()));
            } else if (begun) {
                process();
                end(event.toException());
            } else {
                early = event.toException();
            }
            changed();
        } finally {
            lock.unlock();
        }
        if (removed) {
            StreamService.later(this::closeLink);
        }
    }

    /** All that came before is processed. */
    private void end(RdmaException why) {
        if (engine.peerGone()) {
            engine.lost();
        } else {
            fail(Resets.reset(why));
        }
    }

    // The end.

    /** Ends the output: the peer reads the end of the stream after all bytes. */
    public void shutdownOutput() throws IOException {
        shutdown(engine::shutdownOutput);
    }

    /** Ends the input: what comes is dropped. */
    public void shutdownInput() throws IOException {
        shutdown(engine::shutdownInput);
    }

    private void shutdown(Words words) throws IOException {
        lock.lock();
        try {
            requireOpen();
            if (failure == null) {
                words.say();
                flush();
            }
            changed();
        } catch (RdmaException broken) {
            throw failed(broken);
        } finally {
            lock.unlock();
        }
    }

    /** Closes the stream, and waits until the peer has what was written, at most for the time of the settings. */
    @Override
    public void close() throws IOException {
        close(settings.times().linger());
    }

    /** As {@link #close()}, with a limit; zero resets the connection. */
    public void close(Duration linger) throws IOException {
        if (startClose(linger)) {
            finishClose(linger);
        }
    }

    /** As {@link #close()}, but another thread waits, at most for {@code linger}; zero resets the connection. */
    public void closeLater(Duration linger) {
        if (startClose(linger)) {
            StreamService.later(() -> finishClose(linger));
        }
    }

    /** Returns false if the stream is closed already. */
    private boolean startClose(Duration linger) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            closed = true;
            if (failure == null && !linkClosed && !linger.isZero()) {
                engine.disconnect();
                flush();
            }
            changed();
            return true;
        } catch (RdmaException broken) {
            fail(Resets.reset(broken));
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void finishClose(Duration linger) throws RdmaException {
        drain(linger);
        closeLink();
        link.free();
    }

    /** As {@link #abort()}, on a thread that may block. */
    public void abortLater() {
        StreamService.later(this::abort);
    }

    /** Closes the stream without a word to the peer, which sees that the connection is reset. */
    void abort() throws RdmaException {
        lock.lock();
        try {
            closed = true;
            changed();
        } finally {
            lock.unlock();
        }
        closeLink();
        link.free();
    }

    private void drain(Duration linger) {
        long start = System.nanoTime();
        long left = linger.toNanos();
        lock.lock();
        try {
            if (!linger.isZero() && failure == null && !linkClosed) {
                engine.disconnect();
                flush();
                process();
            }
            while (failure == null && !linkClosed && !engine.isDrained() && left > 0) {
                sleep(left);
                left = linger.toNanos() - (System.nanoTime() - start);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException goesOnWithoutThePeer) {
            // The queues are destroyed next.
        } finally {
            lock.unlock();
        }
    }

    /** Destroys the queues. What was received can still be read. */
    private void closeLink() throws RdmaException {
        lock.lock();
        try {
            if (linkClosed) {
                return;
            }
            linkClosed = true;
            waits.wakeFollowers();
        } finally {
            lock.unlock();
        }
        keepAlive.end();
        FirstFailure first = new FirstFailure();
        first.attempt(connection::close);
        first.attempt(direct::close);
        first.attempt(link::close);
        StreamService.of(settings.kernel()).endUse();
        first.throwIfAny();
    }

    @Override
    public String toString() {
        return "Stream[" + local + " to " + peer + "]";
    }
}
