// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.kernel.Kernel;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a connection, as they are checked by the options of the public package.
 *
 * @param kernel the kernel; the running one but in tests
 * @param receiveBytes the receive buffer, in bytes
 * @param sendBytes the send buffer, in bytes
 * @param queues the sizes of both queues and of inline data
 * @param iomaps the windows of the peer that this side can hold
 * @param times the limits
 * @param source the local address; null if the kernel selects it
 */
public record StreamSettings(
        Kernel kernel,
        int receiveBytes,
        int sendBytes,
        QueueSizes queues,
        int iomaps,
        Times times,
        @Nullable InetSocketAddress source) {
    private static final int DEFAULT_BUFFER = 1 << 17;
    private static final int DEFAULT_SENDS = 60;
    private static final int DEFAULT_RECEIVES = 112;
    private static final int DEFAULT_INLINE = 64;

    /** Returns the settings of {@code rsocket(7)}, on the running kernel. */
    public static StreamSettings defaults() {
        return new StreamSettings(
                Kernel.running(),
                DEFAULT_BUFFER,
                DEFAULT_BUFFER,
                new QueueSizes(DEFAULT_SENDS, DEFAULT_RECEIVES, DEFAULT_INLINE),
                0,
                new Times(Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofNanos(10_000), Duration.ZERO),
                null);
    }

    /**
     * Sizes of queues, which the device may limit.
     *
     * @param send the slots of the send queue
     * @param receive the receives that the peer may use for data
     * @param inline the largest message that is copied into the queue, in bytes
     */
    public record QueueSizes(int send, int receive, int inline) {}

    /**
     * Times.
     *
     * @param step the limit of each step of a connect
     * @param linger how long a close waits until the peer has what was written; zero resets the connection
     * @param polling how long a waiting thread polls before it sleeps
     * @param keepAlive the time without traffic after which the peer's device is asked; zero for never
     */
    public record Times(Duration step, Duration linger, Duration polling, Duration keepAlive) {}
}
