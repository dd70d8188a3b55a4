// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.internal.rsocket.wire.Protocol;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * The life of a stream on any wire: its begin, and the ends of its two directions. The thread of the event loop
 * tells of the end of the connection. Safe for use by several threads.
 *
 * @param <L> what the stream has of the device
 * @param <E> its protocol
 */
public abstract class StreamLife<L extends Link, E extends Protocol> extends StreamClosing<L, E> {
    private final InetSocketAddress local;
    private final InetSocketAddress peer;
    private volatile KeepAlive keepAlive;

    /** The end of the connection, if it came before {@link #begin}: a peer may speak and close before this side is told. */
    private @Nullable RdmaException early;

    /** Creates a stream of a connection that is being made. */
    protected StreamLife(CmConnection connection, L link, E engine, StreamSettings settings) {
        super(connection::close, link, engine, settings);
        this.local = connection.id().localAddress().orElseThrow();
        this.keepAlive = new KeepAlive(engine, Probes.NEVER, never -> {});
        this.peer = connection.id().peerAddress().orElseThrow();
    }

    /** The local address. */
    public final InetSocketAddress localAddress() {
        return local;
    }

    /** The address of the peer. */
    public final InetSocketAddress peerAddress() {
        return peer;
    }

    // What the event loop tells.

    /** Starts the engine with what the peer told of itself. */
    @FunctionalInterface
    protected interface Start {
        /** Called with the lock. */
        void run() throws RdmaException;
    }

    /** The peer has told of itself: from now on completions are processed. */
    protected final void begin(Start start) throws RdmaException {
        lock.lock();
        try {
            start.run();
            begun = true;
            begun();
            link.flush();
            process();
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
            if (!closed) {
                keepAlive = new KeepAlive(engine, probes, this::ask);
                keepAlive.start();
            }
        } finally {
            lock.unlock();
        }
    }

    private void ask(KeepAlive current) {
        boolean unused = say(current::step);
    }

    @Override
    final void endKeepAlive() {
        keepAlive.end();
    }

    /** A step that the peer may hear of. */
    @FunctionalInterface
    interface Words {
        void say() throws IOException;
    }

    /** Says something when its time has come. Returns false if the stream is over. */
    final boolean say(Words words) {
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
    final void ended(CmEvent event) {
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
            closeLinkLater();
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

    /** Refuses a write that cannot succeed. Needs the lock. */
    protected final void requireOutput() throws IOException {
        requireOpen();
        throwFailure();
        if (!engine.outputOpen()) {
            throw new ClosedChannelException();
        }
        if (engine.peerGone()) {
            throw Resets.brokenPipe();
        }
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + local + " to " + peer + "]";
    }
}
