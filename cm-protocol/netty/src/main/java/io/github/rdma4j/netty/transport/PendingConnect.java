// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.internal.cm.Shortage;
import io.github.rdma4j.internal.netty.MessageMaking;
import io.github.rdma4j.internal.netty.MessageStream;
import io.github.rdma4j.internal.netty.wire.Hello;
import io.github.rdma4j.internal.rsocket.Stream;
import io.github.rdma4j.internal.rsocket.StreamConnect;
import io.github.rdma4j.internal.rsocket.StreamLife;
import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.github.rdma4j.kernel.Errno;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A connect under way. For the thread of the event loop. */
final class PendingConnect {
    /** The answer of a listener that does not know the wire. */
    private static final int CONSUMER_DEFINED = 28;

    private final InetSocketAddress remote;

    private final Runnable onChange;
    private final ChannelPromise promise;
    private StreamConnect<? extends StreamLife> attempt;

    /** Starts the attempt on the other wire; null if there is no other, or no longer. */
    private @Nullable Supplier<StreamConnect<Stream>> second;

    private @Nullable Future<?> timer;

    /** Starts to connect. {@code onChange} is called when {@link #finish} has an answer, or nearly. */
    PendingConnect(
            InetSocketAddress remote,
            StreamSettings settings,
            RdmaWire wire,
            ChannelPromise promise,
            Runnable onChange) {
        this(
                remote,
                wire == RdmaWire.RSOCKET
                        ? StreamConnect.start(remote, settings, Stream.making(settings))
                        : StreamConnect.start(remote, settings, new MessageMaking(settings)),
                wire == RdmaWire.ANY ? () -> StreamConnect.start(remote, settings, Stream.making(settings)) : null,
                promise,
                onChange);
    }

    /** For attempts of any origin. */
    PendingConnect(
            InetSocketAddress remote,
            StreamConnect<? extends StreamLife> first,
            @Nullable Supplier<StreamConnect<Stream>> second,
            ChannelPromise promise,
            Runnable onChange) {
        this.remote = remote;
        this.second = second;
        this.promise = promise;
        this.onChange = onChange;
        attempt = first;
        attempt.onChange(onChange);
    }

    InetSocketAddress remote() {
        return remote;
    }

    ChannelPromise promise() {
        return promise;
    }

    /** Returns the connection, or null while the connect is under way. */
    @Nullable
    ChannelWire finish() throws IOException {
        while (attempt.isOver()) {
            Supplier<StreamConnect<Stream>> other = second;
            try {
                return wire(Objects.requireNonNull(attempt.finish()));
            } catch (IOException e) {
                if (isBacklogFull(e)) {
                    throw backlogIsFull(e);
                }
                if (other == null || !isRejection(e)) {
                    throw e;
                }
            }
            second = null;
            attempt = other.get();
            // The second attempt may be over already: the caller is asking at this moment, and is not told.
            attempt.onChange(onChange);
        }
        return null;
    }

    /** The wire of a stream of any kind. */
    static ChannelWire wire(StreamLife stream) {
        return stream instanceof MessageStream messages ? new NativeWire(messages) : new RsocketWire((Stream) stream);
    }

    private static boolean isBacklogFull(IOException failure) {
        return failure.getCause() instanceof CmEventException event
                && event.type() == CmEventType.REJECTED
                && Hello.isBacklogFull(event.privateData());
    }

    private static IOException backlogIsFull(IOException failure) {
        return SocketFailures.caused(
                new ConnectException("Connection refused: the backlog of the listener is full;"
                        + " raise its SO_BACKLOG, or connect again later"),
                failure);
    }

    /** A listener that does not know the wire. On iWARP the reason is the error number of the TCP connection. */
    private static boolean isRejection(IOException failure) {
        return failure.getCause() instanceof CmEventException event
                && event.type() == CmEventType.REJECTED
                && Shortage.told(event.privateData()) == null
                && (event.status() == CONSUMER_DEFINED || event.status() == -Errno.ECONNRESET.number());
    }

    void timer(Future<?> started) {
        timer = started;
    }

    void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    /** Ends the attempt, and tells the promise why. */
    void abandon(Throwable why) {
        stopTimer();
        attempt.cancel();
        boolean unused = promise.tryFailure(why);
    }
}
