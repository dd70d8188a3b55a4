// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.rsocket;

import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.github.rdma4j.internal.rsocket.StreamSettings.QueueSizes;
import io.github.rdma4j.internal.rsocket.StreamSettings.Times;
import io.github.rdma4j.kernel.Kernel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options of an {@link RsocketChannel} or an {@link RsocketListener}. Immutable. Connections that a listener accepts have the
 * options of the listener.
 *
 * <pre>{@code
 * RsocketOptions.builder().receiveBuffer(1 << 20).linger(Duration.ofSeconds(1)).build()
 * }</pre>
 */
public final class RsocketOptions {
    /** Every option with its default. */
    public static final RsocketOptions DEFAULT = builder().build();

    private final StreamSettings settings;

    private RsocketOptions(StreamSettings settings) {
        this.settings = settings;
    }

    /** Returns a builder in which every option has its default. */
    public static Builder builder() {
        return new Builder(StreamSettings.defaults());
    }

    /** Returns a builder that starts with these options. */
    public Builder toBuilder() {
        return new Builder(settings);
    }

    StreamSettings settings() {
        return settings;
    }

    @Override
    public String toString() {
        return "RsocketOptions[receive buffer " + settings.receiveBytes() + " bytes, send buffer "
                + settings.sendBytes() + " bytes, " + settings.queues() + "]";
    }

    /** Builds options. Mutable; for one thread. */
    public static final class Builder {
        private static final int LEAST_BUFFER = 4096;
        private static final int LARGEST_BUFFER = 1 << 30;
        private static final int LEAST_QUEUE = 16;
        private static final int LARGEST_QUEUE = 0xffff;
        private static final int LARGEST_INLINE = 1024;
        private static final int LARGEST_IOMAP = 128;

        private Kernel kernel;
        private int receiveBuffer;
        private int sendBuffer;
        private QueueSizes queues;
        private int iomaps;
        private Times times;
        private @Nullable InetSocketAddress source;

        private Builder(StreamSettings options) {
            kernel = options.kernel();
            receiveBuffer = options.receiveBytes();
            sendBuffer = options.sendBytes();
            queues = options.queues();
            iomaps = options.iomaps();
            times = options.times();
            source = options.source();
        }

        /** Sets the kernel; the running kernel by default. For tests. */
        public Builder kernel(Kernel value) {
            kernel = Objects.requireNonNull(value, "kernel");
            return this;
        }

        /**
         * Sets the size of the receive buffer in bytes, 4,096 to 2^30; 131,072 by default. The peer writes into this
         * memory ({@code SO_RCVBUF}, which rsocket doubles). A connection begins with 8 KiB; the buffer is registered when the
         * peer needs it, and then for as long as the connection lasts.
         */
        public Builder receiveBuffer(int bytes) {
            receiveBuffer = inRange(bytes, LEAST_BUFFER, LARGEST_BUFFER, "receiveBuffer") / 2 * 2;
            return this;
        }

        /**
         * Sets the size of the send buffer in bytes, 4,096 to 2^30; 131,072 by default ({@code SO_SNDBUF}). A connection begins with
         * less; the buffer is registered while it is needed.
         */
        public Builder sendBuffer(int bytes) {
            sendBuffer = inRange(bytes, LEAST_BUFFER, LARGEST_BUFFER, "sendBuffer");
            return this;
        }

        /** Sets the size of the send queue, 16 to 65,535 requests; 60 by default ({@code RDMA_SQSIZE}). */
        public Builder sendQueue(int requests) {
            int send = inRange(requests, LEAST_QUEUE, LARGEST_QUEUE, "sendQueue");
            queues = new QueueSizes(send, queues.receive(), queues.inline());
            return this;
        }

        /** Sets the number of messages that the peer may send ahead, 16 to 65,535; 112 by default ({@code RDMA_RQSIZE}). */
        public Builder receiveQueue(int messages) {
            int receive = inRange(messages, LEAST_QUEUE, LARGEST_QUEUE, "receiveQueue");
            queues = new QueueSizes(queues.send(), receive, queues.inline());
            return this;
        }

        /** Sets the largest message that is sent inline, 0 to 1,024 bytes; 64 by default ({@code RDMA_INLINE}). */
        public Builder inline(int bytes) {
            queues = new QueueSizes(queues.send(), queues.receive(), inRange(bytes, 0, LARGEST_INLINE, "inline"));
            return this;
        }

        /**
         * Sets the number of windows that the peer can map for direct writes by this side, 0 to 128; 0 by default
         * ({@code RDMA_IOMAPSIZE}).
         */
        public Builder iomaps(int windows) {
            iomaps = inRange(windows, 0, LARGEST_IOMAP, "iomaps");
            return this;
        }

        /** Sets the limit of each step of a connect: the address, the route, the answer. 10 s by default. */
        public Builder connectTimeout(Duration limit) {
            if (limit.isNegative() || limit.isZero()) {
                throw new IllegalArgumentException("connectTimeout is " + limit + "; it must be more than zero");
            }
            times = new Times(limit, times.linger(), times.polling(), times.keepAlive());
            return this;
        }

        /**
         * Sets how long closing waits until the peer has the bytes that were written; 5 s by default. With zero, closing
         * resets the connection ({@code SO_LINGER}).
         */
        public Builder linger(Duration limit) {
            times = new Times(times.step(), notNegative(limit, "linger"), times.polling(), times.keepAlive());
            return this;
        }

        /**
         * Sets how long a waiting thread polls before it sleeps; 10 microseconds by default ({@code polling_time} of
         * {@code rsocket(7)}).
         */
        public Builder polling(Duration time) {
            times = new Times(times.step(), times.linger(), notNegative(time, "polling"), times.keepAlive());
            return this;
        }

        /**
         * Sets the period after which the peer's device is asked whether it still answers ({@code TCP_KEEPIDLE}); zero,
         * the default, asks never. The peer's program notices nothing. The connection has timed out when there is no answer
         * for ten periods, and for at least 10 s.
         */
        public Builder keepAlive(Duration period) {
            times = new Times(times.step(), times.linger(), times.polling(), notNegative(period, "keepAlive"));
            return this;
        }

        /** Sets the local address of a connection; by default the kernel selects it. Listeners ignore it. */
        public Builder source(InetSocketAddress address) {
            source = Objects.requireNonNull(address, "address");
            return this;
        }

        private static Duration notNegative(Duration time, String name) {
            if (time.isNegative()) {
                throw new IllegalArgumentException(name + " is " + time + "; it must be zero or more");
            }
            return time;
        }

        private static int inRange(int value, int least, int most, String name) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(
                        name + " is " + value + "; it must be from " + least + " to " + most);
            }
            return value;
        }

        /** Returns the options. The builder can be used again. */
        public RsocketOptions build() {
            return new RsocketOptions(
                    new StreamSettings(kernel, receiveBuffer, sendBuffer, queues, iomaps, times, source));
        }
    }
}
