// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.datagram;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.fd.EventFd;
import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.ReadinessSet;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A datagram rsocket. The first datagrams to a peer go over UDP, with an introduction; the peer introduces its queue pair
 * in return, and all further datagrams go from queue pair to queue pair.
 *
 * <p>A thread reads the UDP socket and finds the ways to peers, which may take seconds. A sender needs the lock of the
 * sender, a receiver the lock of the receiver; each thread that closes or adds a queue pair needs both.
 */
public final class Datagrams implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("io.github.rdma4j.rsocket");

    /** Peers with a way; the one that was used longest ago makes room for another. */
    private static final int MOST_DESTINATIONS = 1024;

    /** Datagrams that came over UDP and wait for a receiver; more are lost. */
    private static final int MOST_EARLY = 64;

    private static final int MOST_UDP_BYTES = Introduction.IPV6_BYTES + Endpoint.MESSAGE_BYTES;
    private static final Duration STEP = Duration.ofSeconds(2);

    /** How long closing waits for the thread, which may be in a call of the kernel. */
    private static final long MOST_MILLIS_OF_END = 2000;

    private final StreamSettings settings;
    private final DatagramChannel udp;
    private final InetSocketAddress local;
    private final Thread thread;
    private final EventFd news;
    private final ArrayBlockingQueue<Early> early = new ArrayBlockingQueue<>(MOST_EARLY);
    private final ReentrantLock sending = new ReentrantLock();
    private final ReentrantLock receiving = new ReentrantLock();
    private final CopyOnWriteArrayList<Endpoint> endpoints = new CopyOnWriteArrayList<>();

    private final Map<InetSocketAddress, Destination> destinations = new LinkedHashMap<>(16, 0.75f, true);
    private final ByteBuffer introduced = ByteBuffer.allocateDirect(MOST_UDP_BYTES);
    private volatile boolean closed;

    /** The queue pair that is asked first, in turns. */
    private int turn;

    /** A datagram that came over UDP. */
    private record Early(InetSocketAddress sender, ByteBuffer message) {}

    /** A peer, and the way to its queue pair once the peer has introduced itself. For threads with the lock of the sender. */
    private static final class Destination {
        private final InetSocketAddress address;

        /** The queue pair from which the peer is reached. */
        private final Endpoint endpoint;

        /** The way to the peer; null until the peer has introduced itself. */
        private @Nullable AddressHandle handle;

        private int qpn;

        Destination(InetSocketAddress address, Endpoint endpoint) {
            this.address = address;
            this.endpoint = endpoint;
        }

        /** From now on, the peer is reached by {@code way}, which this destination closes. */
        void leadTo(AddressHandle way, int number) throws RdmaException {
            @Nullable AddressHandle before = handle;
            handle = way;
            qpn = number;
            if (before != null) {
                before.close();
            }
        }

        void close(FirstFailure failure) {
            failure.close(handle);
            handle = null;
        }
    }

    private Datagrams(StreamSettings settings, DatagramChannel udp, EventFd news) throws IOException {
        this.settings = settings;
        this.udp = udp;
        this.news = news;
        local = (InetSocketAddress) udp.getLocalAddress();
        thread = new Thread(this::listen, "rdma4j datagram rsocket " + local);
        thread.setDaemon(true);
    }

    /** Opens a socket at a local address, which may be a wildcard address, and the port 0. */
    public static Datagrams open(InetSocketAddress at, StreamSettings settings) throws IOException {
        StandardProtocolFamily family =
                at.getAddress() instanceof Inet4Address ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
        DatagramChannel udp = DatagramChannel.open(family);
        @Nullable EventFd news = null;
        @Nullable Datagrams made = null;
        try {
            udp.bind(at);
            news = EventFd.open(settings.kernel(), "eventfd of a datagram rsocket");
            made = new Datagrams(settings, udp, news);
            if (!at.getAddress().isAnyLocalAddress()) {
                made.endpoints.add(Endpoint.open(made.local, settings));
            }
            made.thread.start();
            return made;
        } catch (IOException | RuntimeException | Error e) {
            if (made != null) {
                made.endpoints.forEach(endpoint -> FirstFailure.closeAfter(e, endpoint));
            }
            if (news != null) {
                FirstFailure.closeAfter(e, news);
            }
            FirstFailure.closeAfter(e, udp);
            throw e;
        }
    }

    public InetSocketAddress local() {
        return local;
    }

    // ---- sending

    /** Sends the rest of {@code message}; returns the number of bytes. */
    public int send(ByteBuffer message, InetSocketAddress target) throws IOException, InterruptedException {
        sending.lockInterruptibly();
        try {
            requireOpen();
            Destination to = destination(target);
            int length = message.remaining();
            if (length > to.endpoint.mostBytes()) {
                throw new IllegalArgumentException("the datagram has " + length + " bytes; at most "
                        + to.endpoint.mostBytes() + " fit into a packet to " + target);
            }
            @Nullable AddressHandle way = to.handle;
            if (way == null) {
                introduce(to, message, true);
            } else {
                to.endpoint.send(message, way, to.qpn);
            }
            return length;
        } finally {
            sending.unlock();
        }
    }

    /** With the lock of the sender. */
    private void introduce(Destination to, ByteBuffer message, boolean carriesDatagram) throws IOException {
        Endpoint from = to.endpoint;
        introduced.clear();
        Introduction.put(introduced, from.local().getAddress(), from.qpn(), carriesDatagram);
        udp.send(introduced.put(message.duplicate()).flip(), to.address);
        message.position(message.limit());
    }

    /** With the lock of the sender. */
    private Destination destination(InetSocketAddress peer) throws IOException {
        @Nullable Destination known = destinations.get(peer);
        if (known == null) {
            known = new Destination(peer, endpoint(source(peer)));
            destinations.put(peer, known);
            if (destinations.size() > MOST_DESTINATIONS) {
                drop(destinations.values().iterator().next());
            }
        }
        return known;
    }

    private void drop(Destination oldest) throws RdmaException {
        destinations.remove(oldest.address);
        FirstFailure failure = new FirstFailure();
        oldest.close(failure);
        failure.throwIfAny();
    }

    /** The local address from which the kernel reaches {@code peer}. */
    private InetSocketAddress source(InetSocketAddress peer) throws IOException {
        if (!local.getAddress().isAnyLocalAddress()) {
            return local;
        }
        try (DatagramChannel route = DatagramChannel.open(
                peer.getAddress() instanceof Inet4Address
                        ? StandardProtocolFamily.INET
                        : StandardProtocolFamily.INET6)) {
            InetAddress source = ((InetSocketAddress) route.connect(peer).getLocalAddress()).getAddress();
            return new InetSocketAddress(source, local.getPort());
        }
    }

    /** The queue pair at a local address. With the lock of the sender. */
    private Endpoint endpoint(InetSocketAddress at) throws RdmaException {
        for (Endpoint each : endpoints) {
            if (each.local().equals(at)) {
                return each;
            }
        }
        Endpoint made = Endpoint.open(at, settings);
        endpoints.add(made);
        news.raise(); // a receiver waits for this queue pair too
        return made;
    }

    // ---- receiving

    /**
     * Copies the next datagram to {@code into}, as far as there is room.
     *
     * @param nanos the longest wait; {@link Long#MAX_VALUE} for ever
     * @return the sender; null when the time is over
     */
    public @Nullable InetSocketAddress receive(ByteBuffer into, long nanos) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        receiving.lockInterruptibly();
        try {
            while (true) {
                requireOpen();
                @Nullable InetSocketAddress sender = take(into);
                if (sender != null) {
                    return sender;
                }
                long left = nanos == Long.MAX_VALUE ? nanos : nanos - (System.nanoTime() - begin);
                if (left <= 0) {
                    return null;
                }
                news.lower();
                for (Endpoint each : endpoints) {
                    each.arm();
                }
                sender = take(into);
                if (sender != null) {
                    return sender;
                }
                await(left);
                if (closed) {
                    throw new AsynchronousCloseException();
                }
            }
        } catch (ClosedWhileWaitingException | IllegalStateException e) {
            if (closed) {
                throw (AsynchronousCloseException) new AsynchronousCloseException().initCause(e);
            }
            throw e;
        } finally {
            receiving.unlock();
        }
    }

    private @Nullable InetSocketAddress take(ByteBuffer into) throws RdmaException {
        @Nullable Early first = early.poll();
        if (first != null) {
            into.put(first.message()
                    .limit(Math.min(into.remaining(), first.message().limit())));
            return first.sender();
        }
        int count = endpoints.size();
        for (int i = 0; i < count; i++) {
            turn = (turn + 1) % count;
            @Nullable InetSocketAddress sender = endpoints.get(turn).receive(into);
            if (sender != null) {
                return sender;
            }
        }
        return null;
    }

    private void await(long nanos) throws RdmaException, InterruptedException {
        List<Pollable> sources = new ArrayList<>(List.of(news));
        for (Endpoint each : endpoints) {
            sources.add(each.channel());
            sources.add(each.removal());
        }
        List<Pollable> ready = ReadinessSet.awaitAny(Duration.ofNanos(nanos), sources.toArray(Pollable[]::new));
        for (Endpoint each : endpoints) {
            each.takeEvent();
            if (ready.contains(each.removal()) && each.isRemoved()) {
                remove(each);
                throw new RdmaException(
                        "the device at " + each.local().getAddress().getHostAddress()
                                + " was removed; the next datagram that leaves from there opens it again");
            }
        }
    }

    private void remove(Endpoint gone) throws RdmaException {
        sending.lock();
        try {
            FirstFailure failure = new FirstFailure();
            destinations.values().removeIf(each -> {
                boolean lost = each.endpoint == gone;
                if (lost) {
                    each.close(failure);
                }
                return lost;
            });
            endpoints.remove(gone);
            failure.close(gone);
            failure.throwIfAny();
        } finally {
            sending.unlock();
        }
    }

    // ---- the UDP socket

    private void listen() {
        ByteBuffer message = ByteBuffer.allocateDirect(MOST_UDP_BYTES + 1);
        while (!closed) {
            try {
                InetSocketAddress sender = (InetSocketAddress) udp.receive(message.clear());
                meet(sender, message.flip());
            } catch (ClosedChannelException e) {
                return;
            } catch (InterruptedException e) {
                return;
            } catch (IOException | RuntimeException e) {
                LOGGER.log(System.Logger.Level.DEBUG, "an introduction to a datagram rsocket was ignored", e);
            }
        }
    }

    private void meet(InetSocketAddress sender, ByteBuffer message) throws IOException, InterruptedException {
        Optional<Introduction> read = Introduction.of(message, sender.getAddress());
        if (read.isEmpty()) {
            return;
        }
        Introduction introduction = read.get();
        Destination peer;
        sending.lock();
        try {
            requireOpen();
            peer = destination(sender);
            if (introduction.carriesDatagram()) {
                introduce(peer, ByteBuffer.allocate(0), false);
            }
        } finally {
            sending.unlock();
        }
        if (introduction.carriesDatagram()) {
            ByteBuffer copy = ByteBuffer.allocate(message.limit() - introduction.length());
            copy.put(message.position(introduction.length())).flip();
            if (early.offer(new Early(sender, copy))) {
                news.raise();
            }
        }
        findWay(peer, introduction.qpn());
    }

    /** Finds the way to the queue pair {@code qpn} of a peer, without a lock while the kernel asks the network. */
    private void findWay(Destination peer, int qpn) throws IOException, InterruptedException {
        sending.lock();
        try {
            if (peer.handle != null && peer.qpn == qpn) { // the peer still has the queue pair that it introduced
                return;
            }
        } finally {
            sending.unlock();
        }
        AddressHandle way;
        try (BlockingCmId id = BlockingCmId.create(settings.kernel(), PortSpace.UDP)) {
            id.resolveAddress(new InetSocketAddress(peer.endpoint.local().getAddress(), 0), peer.address, STEP);
            id.resolveRoute(STEP);
            PathRecord path = id.id().paths().get(0);
            way = peer.endpoint
                    .pd()
                    .createAh(id.context().ahAttrFromPath(path, id.id().portNumber()));
        }
        sending.lock();
        try {
            if (closed || destinations.get(peer.address) != peer) {
                way.close();
            } else {
                peer.leadTo(way, qpn);
            }
        } finally {
            sending.unlock();
        }
    }

    private void requireOpen() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    /**
     * Wakes the receiver, and closes when sender and receiver have left. The port is free then: the kernel has it until the
     * thread has left the UDP socket.
     */
    @Override
    public void close() throws IOException {
        closed = true;
        news.raise();
        udp.close();
        thread.interrupt();
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(MOST_MILLIS_OF_END);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        try {
            closeQueues();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void closeQueues() throws IOException {
        FirstFailure failure = new FirstFailure();
        receiving.lock();
        sending.lock();
        try {
            destinations.values().forEach(each -> each.close(failure));
            destinations.clear();
            endpoints.forEach(failure::close);
            endpoints.clear();
            failure.close(news);
        } finally {
            sending.unlock();
            receiving.unlock();
        }
        failure.throwIfAny();
    }

    @Override
    public String toString() {
        return "Datagrams[" + local + (closed ? ", closed]" : "]");
    }
}
