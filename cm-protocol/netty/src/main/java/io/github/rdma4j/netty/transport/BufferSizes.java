// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.github.rdma4j.internal.rsocket.StreamSettings.Times;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The options that decide how a stream is made; as for sockets, sizes beyond the limits become the limits. */
final class BufferSizes {
    private static final int LEAST = 4096;
    private static final int LARGEST = 1 << 30;

    /** As {@code tcp_keepalive_time} by default, which rsocket takes. */
    private static final Duration KEEP_ALIVE = Duration.ofHours(2);

    /** For a channel without a limit of its own. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private static final StreamSettings DEFAULTS = StreamSettings.defaults();

    private volatile int send = DEFAULTS.sendBytes();
    private volatile int receive = DEFAULTS.receiveBytes();

    int send() {
        return send;
    }

    void send(int bytes) {
        send = inRange(bytes);
    }

    int receive() {
        return receive;
    }

    void receive(int bytes) {
        receive = inRange(bytes) / 2 * 2;
    }

    private static int inRange(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("the size of a buffer is " + bytes + "; it must be 0 or more");
        }
        return Math.max(LEAST, Math.min(bytes, LARGEST));
    }

    /**
     * The settings of a stream.
     *
     * @param connectMillis the time that the channel gives a connect, which it watches itself; 0 for no limit
     * @param source the local address of a connect; null if the kernel selects it
     */
    StreamSettings settings(int connectMillis, boolean keepAlive, @Nullable InetSocketAddress source) {
        // A bit longer, so that the channel's own limit is the first.
        Duration step = connectMillis == 0 ? LONG : Duration.ofMillis(connectMillis + 1000L);
        return new StreamSettings(
                DEFAULTS.kernel(),
                receive,
                send,
                DEFAULTS.queues(),
                0,
                new Times(step, DEFAULTS.times().linger(), Duration.ZERO, keepAlive ? KEEP_ALIVE : Duration.ZERO),
                source);
    }
}
