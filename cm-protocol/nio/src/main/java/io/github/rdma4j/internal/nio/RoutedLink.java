// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.EventFd;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.libc.SocketCalls;
import io.github.rdma4j.internal.rsocket.ConnectClock;
import io.github.rdma4j.internal.rsocket.Stream;
import io.github.rdma4j.internal.rsocket.StreamConnect;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A link that goes over RDMA or over TCP, which it finds out when it connects. Until then it is a socket of TCP. */
final class RoutedLink implements StreamLink {
    /** How long a step of an attempt over RDMA may take at least. */
    private static final Duration LEAST_STEP = Duration.ofSeconds(10);

    /** How long a connection that came too late waits until its peer has heard that it ends. */
    private static final Duration LINGER = Duration.ofSeconds(1);

    private final TcpLink tcp;
    private final Routes routes;
    private final RdmaOptions options = new RdmaOptions();

    /** For all that changes, but not for the bytes. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile StreamLink now;
    private volatile @Nullable Attempt attempt;
    private volatile Runnable changed = () -> {};
    private boolean closed;
    private boolean counted;

    /** An attempt that has not answered in time, while TCP is tried: if it answers before TCP does, it counts. */
    private @Nullable Attempt overdue;

    /** Where RDMA was tried in vain. */
    private @Nullable InetSocketAddress refusedTarget;

    /** Why the channel does not go over RDMA; until TCP has answered. */
    private @Nullable Refusal refusal;

    /** Where the channel goes over TCP, and why. */
    private @Nullable InetSocketAddress overTcp;

    private String tcpReason = "";

    RoutedLink(TcpLink tcp, Routes routes) {
        this.tcp = tcp;
        this.routes = routes;
        now = tcp;
    }

    /** An attempt over RDMA, as a source that becomes ready when it has failed for good. */
    private static final class Attempt implements Source {
        private final InetSocketAddress remote;
        private final InetSocketAddress target;
        private final boolean fallback;
        private final ConnectClock clock;
        private final StreamConnect<Stream> connect;
        private final EventFd signal;

        /** Why the channel cannot connect; null while it may. */
        private volatile @Nullable IOException failure;

        Attempt(InetSocketAddress remote, Routes.Route route, InetSocketAddress target, RoutedLink link)
                throws IOException {
            this.remote = remote;
            this.target = target;
            fallback = route.fallback();
            Duration patience = link.routes.patience();
            clock = new ConnectClock(fallback ? patience : Duration.ZERO, wait -> link.late(this, wait));
            signal = EventFd.open(Kernel.running(), "eventfd of a channel");
            // The attempt itself takes longer than a user waits for it: an answer that comes late is of use too.
            Duration step = patience.multipliedBy(2);
            connect = StreamConnect.start(
                    target,
                    link.options.settings(
                            route.source(), fallback && step.compareTo(LEAST_STEP) > 0 ? step : LEAST_STEP),
                    clock);
        }

        @Override
        public KernelFd descriptor() {
            return signal.descriptor();
        }

        @Override
        public boolean isPolled() {
            return true;
        }

        @Override
        public int readiness() {
            return failure == null ? 0 : SocketCalls.POLLOUT;
        }
    }

    @Override
    public Source source() {
        Attempt trying = attempt;
        return trying == null ? now.source() : trying;
    }

    @Override
    public void onChange(Runnable action) {
        changed = action;
    }

    @Override
    public String description() {
        return now.description();
    }

    @Override
    public @Nullable SocketAddress localAddress() throws IOException {
        return now.localAddress();
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        tcp.bind(local);
    }

    @Override
    public boolean connect(SocketAddress address) throws IOException {
        InetSocketAddress remote = SocketAddresses.inet(address);
        Routes.Route route = routes.to(remote, SocketAddresses.inetOrNull(tcp.localAddress()));
        InetSocketAddress target = route.rdma();
        if (target == null) {
            return connectOverTcp(remote, route.reason());
        }
        Attempt made;
        try {
            made = new Attempt(remote, route, target, this);
        } catch (ErrnoException noDescriptor) {
            if (!route.fallback()) {
                throw noDescriptor;
            }
            Refusal why = Refusal.of(noDescriptor);
            routes.fellBack(target, why);
            return connectOverTcp(remote, why.reason());
        }
        lock.lock();
        try {
            attempt = made;
            if (closed) {
                abandon(made);
                throw new ClosedChannelException();
            }
        } finally {
            lock.unlock();
        }
        changed.run();
        made.connect.onChange(() -> over(made));
        return false;
    }

    private boolean connectOverTcp(InetSocketAddress remote, String reason) throws IOException {
        routes.connects(remote, false, reason);
        tcpReason = reason;
        overTcp = remote;
        return isCounted(tcp.connect(remote), false);
    }

    private boolean isCounted(boolean connected, boolean rdma) {
        lock.lock();
        try {
            if (connected && !counted) {
                counted = true;
                routes.connected(rdma);
                if (!rdma && !closed) {
                    tcp.connected(Objects.requireNonNull(overTcp), tcpReason);
                }
            }
            return connected;
        } finally {
            lock.unlock();
        }
    }

    /** The attempt is not over yet, and TCP comes next; called by a thread that must not wait. */
    private void late(Attempt made, ConnectClock.Wait wait) {
        lock.lock();
        try {
            if (closed || attempt != made || made.connect.isOver()) {
                return;
            }
            goOverTcp(made, Refusal.late(wait, routes.patience()));
            overdue = attempt == null ? made : null;
        } finally {
            lock.unlock();
        }
        tellOf(made);
        if (wait == ConnectClock.Wait.RESOLVING) {
            // Nobody was asked, and so nobody answers.
            made.connect.cancel();
        }
    }

    /** The attempt is over; called by the thread that all connects share. */
    private void over(Attempt made) {
        lock.lock();
        try {
            if (closed && (attempt == made || overdue == made)) {
                return;
            }
            Stream stream = made.connect.finish();
            if (stream != null) {
                succeed(made, stream);
            }
        } catch (IOException e) {
            fail(made, e);
        } finally {
            lock.unlock();
        }
        tellOf(made);
    }

    /** The channel has another source, or its attempt has failed for good. */
    private void tellOf(Attempt made) {
        made.signal.raise();
        changed.run();
        if (attempt != made) {
            made.signal.close();
        }
    }

    private void succeed(Attempt made, Stream stream) {
        if (attempt != made) {
            routes.answeredOverRdma(made.target, null);
            if (overdue != made) {
                // The program has its connection over TCP.
                stream.closeLater(LINGER);
                return;
            }
        }
        RdmaLink link = new RdmaLink(stream, options);
        link.onChange(changed);
        now = link;
        attempt = null;
        overdue = null;
        refusal = null;
        routes.connects(made.remote, true, "the peer has answered");
        tcp.source().descriptor().wakeWaiters();
        tcp.close();
    }

    private void fail(Attempt made, IOException why) {
        if (attempt != made) {
            failLate(made, Refusal.of(why));
        } else if (made.fallback) {
            goOverTcp(made, Refusal.of(why));
        } else {
            made.failure = SocketErrors.plainConnect(why);
        }
    }

    private void failLate(Attempt made, Refusal answer) {
        if (answer.scope() == Refusal.Scope.PORT) {
            routes.answeredOverRdma(made.target, answer);
            refusal = overdue == made ? answer : refusal;
        }
        overdue = overdue == made ? null : overdue;
    }

    private void goOverTcp(Attempt made, Refusal why) {
        try {
            boolean unused = tcp.connect(made.remote);
            attempt = null;
            refusal = why;
            overTcp = made.remote;
            tcpReason = why.reason();
            refusedTarget = made.target;
            routes.connects(made.remote, false, why.reason());
        } catch (IOException e) {
            e.addSuppressed(new IOException(why.reason()));
            made.failure = e;
        }
    }

    @Override
    public boolean finishConnect() throws IOException {
        lock.lock();
        try {
            Attempt trying = attempt;
            if (trying != null) {
                IOException failure = trying.failure;
                if (failure != null) {
                    throw failure;
                }
                return false;
            }
            boolean connected = isCounted(now.finishConnect(), now != tcp);
            if (connected) {
                overdue = null;
                if (refusedTarget != null && refusal != null) {
                    routes.fellBack(refusedTarget, refusal);
                }
                refusal = null;
            }
            return connected;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return now.read(target);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        return now.read(targets, offset, length);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return now.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return now.write(sources, offset, length);
    }

    @Override
    public boolean writeUrgent(byte data) throws IOException {
        return now.writeUrgent(data);
    }

    @Override
    public int available() throws IOException {
        return now.available();
    }

    @Override
    public void shutdownInput() throws IOException {
        now.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        now.shutdownOutput();
    }

    @Override
    public <T> void setOption(SocketOption<T> name, T value) throws IOException {
        lock.lock();
        try {
            now.setOption(name, value);
            options.set(name, value);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return now.getOption(name);
    }

    @Override
    public void closeLater() throws IOException {
        now.closeLater();
    }

    private void abandon(Attempt trying) {
        if (trying.fallback) {
            routes.gaveUp(trying.target, trying.clock.unanswered());
        }
        trying.connect.cancel();
        trying.signal.raise();
        trying.signal.close();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                Attempt trying = attempt;
                if (trying != null) {
                    abandon(trying);
                }
                Attempt tooLate = overdue;
                if (tooLate != null) {
                    tooLate.connect.cancel();
                }
                tcp.close();
            }
        } finally {
            lock.unlock();
        }
        now.close();
    }
}
