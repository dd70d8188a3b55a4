// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.rsocket;

import io.github.rdma4j.internal.rsocket.datagram.Datagrams;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A datagram rsocket ({@code rsocket(7)} of type {@code SOCK_DGRAM}). Safe for use by several threads: one sends and one
 * receives at a time.
 *
 * <p>A datagram goes over a queue pair of type UD. The first datagrams to a peer go over UDP, to the same address and port,
 * until the peers know each other's queue pair. Datagrams may be lost or change their order, as those of UDP: a datagram
 * that arrives while no receive is free is lost, and so is a datagram to a peer that does not exist.
 *
 * <p>The peer is another datagram rsocket of Java, over InfiniBand, RoCE or soft-RoCE, or of librdmacm, which has datagram
 * rsockets over InfiniBand only. iWARP has no datagrams.
 *
 * <p>The removal of the device is noticed by {@link #receive}: a program that never receives holds a removed device until it
 * closes the channel.
 *
 * <p>Of the {@link RsocketOptions}, the buffer sizes and the queue sizes count: each queue pair has room for as many
 * datagrams of 2,048 bytes as both allow, 64 by default in each direction. This memory is registered while the channel is
 * open.
 *
 * <pre>{@code
 * try (RsocketDatagramChannel channel = RsocketDatagramChannel.open(new InetSocketAddress(host, 7174))) {
 *     ByteBuffer message = ByteBuffer.allocateDirect(2048);
 *     InetSocketAddress sender = channel.receive(message);
 *     channel.send(message.flip(), sender);
 * }
 * }</pre>
 */
public final class RsocketDatagramChannel implements AutoCloseable {
    private final Datagrams datagrams;

    private RsocketDatagramChannel(Datagrams datagrams) {
        this.datagrams = datagrams;
    }

    /** Opens a channel at a local address with {@link RsocketOptions#DEFAULT}. */
    public static RsocketDatagramChannel open(InetSocketAddress at) throws IOException {
        return open(at, RsocketOptions.DEFAULT);
    }

    /**
     * Opens a channel at a local address; port 0 selects a free port. With a wildcard address, the channel has a queue pair
     * at each local address from which the kernel reaches a peer, made with the first datagram to or from that peer.
     *
     * @throws io.github.rdma4j.kernel.ErrnoException EADDRINUSE if an id of the port space UDP has the port; ENODEV if no
     *     RDMA device has the address
     * @throws java.net.BindException if a UDP socket has the port, or this host does not have the address
     */
    public static RsocketDatagramChannel open(InetSocketAddress at, RsocketOptions options) throws IOException {
        Objects.requireNonNull(at.getAddress(), "the address of the host is not resolved");
        return new RsocketDatagramChannel(Datagrams.open(at, options.settings()));
    }

    /** Returns the local address, including the port that the kernel selected if port 0 was requested. */
    public InetSocketAddress localAddress() {
        return datagrams.local();
    }

    /**
     * Sends the rest of {@code message} as one datagram ({@code rsendto}).
     *
     * @param target an address of the family of the local address
     * @return the number of bytes; the position of {@code message} is then at its limit
     * @throws IllegalArgumentException if the datagram is larger than one packet of the local device minus 8 bytes, or with
     *     an IPv6 address 24 bytes; nothing is sent, and {@code message} is unchanged. Packets have 256 to 2,048 bytes
     * @throws io.github.rdma4j.kernel.ErrnoException ENODEV if no RDMA device has the local address
     * @throws java.nio.channels.ClosedChannelException if the channel is closed
     * @throws InterruptedException if the thread is interrupted while another thread sends
     */
    public int send(ByteBuffer message, InetSocketAddress target) throws IOException, InterruptedException {
        Objects.requireNonNull(target.getAddress(), "the address of the target is not resolved");
        return datagrams.send(message, target);
    }

    /**
     * Waits for the next datagram and copies it to {@code into} ({@code rrecvfrom}). What does not fit is lost.
     *
     * @return the sender
     * @throws java.nio.channels.AsynchronousCloseException if another thread closes the channel
     * @throws io.github.rdma4j.kernel.RdmaException if the device is removed; the channel stays open
     * @throws InterruptedException if the thread is interrupted; the channel stays open
     */
    public InetSocketAddress receive(ByteBuffer into) throws IOException, InterruptedException {
        return Objects.requireNonNull(datagrams.receive(into, Long.MAX_VALUE));
    }

    /** As {@link #receive(ByteBuffer)}; empty if the time limit expires. {@link Duration#ZERO} does not wait. */
    public Optional<InetSocketAddress> receive(ByteBuffer into, Duration limit)
            throws IOException, InterruptedException {
        return Optional.ofNullable(datagrams.receive(into, RsocketChannel.nanos(limit)));
    }

    /** Closes the channel. Datagrams that were not received are lost. Idempotent. */
    @Override
    public void close() throws IOException {
        datagrams.close();
    }

    @Override
    public String toString() {
        return "RsocketDatagramChannel[" + datagrams + "]";
    }
}
