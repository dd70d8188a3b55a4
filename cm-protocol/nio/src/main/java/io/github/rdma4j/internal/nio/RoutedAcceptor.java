// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.EventFd;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.libc.SocketCalls;
import io.github.rdma4j.internal.rsocket.Stream;
import io.github.rdma4j.internal.rsocket.StreamListener;
import io.github.rdma4j.internal.rsocket.connections.Connections;
import io.github.rdma4j.internal.rsocket.connections.Listening;
import io.github.rdma4j.internal.rsocket.connections.Member;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Listens over RDMA, over TCP, or over both on ports with the same number, whose connections are accepted in turns. */
final class RoutedAcceptor implements Acceptor, Source {
    /** How often a port that is free for both is looked for. */
    private static final int TRIES = 32;

    private final TcpAcceptor tcp;
    private final Routes routes;
    private final RdmaOptions options = new RdmaOptions();
    private volatile Runnable changed = () -> {};

    /** Null if nobody listens over RDMA. */
    private volatile @Nullable StreamListener<Stream> rdma;

    /** Null if nobody listens over TCP. */
    private volatile @Nullable Listening told;

    /** To sleep on; null while the socket of TCP is. */
    private volatile @Nullable EventFd signal;

    private volatile @Nullable SocketAddress local;

    /** Why connections come over TCP. */
    private volatile String tcpReason = "the peer has chosen";

    /** The next connection is TCP's, if there is one. */
    private boolean tcpIsNext;

    RoutedAcceptor(TcpAcceptor tcp, Routes routes) {
        this.tcp = tcp;
        this.routes = routes;
    }

    @Override
    public void onChange(Runnable action) {
        changed = action;
    }

    @Override
    public void listen(SocketAddress address, int backlog) throws IOException {
        InetSocketAddress wanted = SocketAddresses.inet(address);
        Routes.Route route = routes.at(wanted);
        InetSocketAddress target = route.rdma();
        if (target == null) {
            listenOverTcp(wanted, backlog, route.reason());
        } else if (route.fallback()) {
            listenOnBoth(wanted, target, backlog);
        } else {
            listenWithoutTcp(wanted, target, backlog);
        }
    }

    private void listenWithoutTcp(InetSocketAddress wanted, InetSocketAddress target, int backlog) throws IOException {
        EventFd alone = EventFd.open(Kernel.running(), "eventfd of a channel");
        StreamListener<Stream> listener;
        try {
            listener = listenOverRdma(wildcard(target), backlog);
        } catch (SocketException | RuntimeException | Error e) {
            alone.close();
            throw e;
        }
        signal = alone;
        InetSocketAddress own =
                new InetSocketAddress(wanted.getAddress(), listener.address().getPort());
        local = own;
        begin(listener, own, "a rule");
    }

    private void listenOnBoth(InetSocketAddress wanted, InetSocketAddress target, int backlog) throws IOException {
        for (int left = wanted.getPort() == 0 ? TRIES : 1; ; left--) {
            StreamListener<Stream> listener;
            try {
                listener = listenOverRdma(wildcard(target), backlog);
            } catch (SocketException e) {
                listenWithoutRdma(wanted, backlog, e);
                return;
            }
            boolean done = false;
            try {
                tcp.listen(
                        new InetSocketAddress(
                                wanted.getAddress(), listener.address().getPort()),
                        backlog);
                InetSocketAddress own = ownOverTcp();
                local = own;
                told = Connections.OF_PROCESS.listens(new Listening(own, backlog, "beside RDMA"));
                done = true;
                begin(listener, own, "beside TCP");
                return;
            } catch (BindException e) {
                if (left <= 1) {
                    throw e;
                }
            } finally {
                if (!done) {
                    listener.close();
                }
            }
        }
    }

    /** A socket of IPv6 that is bound to every address takes IPv4 too. */
    private InetSocketAddress wildcard(InetSocketAddress target) {
        return tcp.isIpv6() && target.getAddress().isAnyLocalAddress()
                ? SocketAddresses.any(true, target.getPort())
                : target;
    }

    /** For example, no device has the address. */
    private void listenWithoutRdma(InetSocketAddress wanted, int backlog, SocketException failure) throws IOException {
        Throwable cause = failure.getCause();
        if (cause instanceof ErrnoException refused && refused.errno().equals(Errno.EADDRINUSE)) {
            throw failure;
        }
        String reason = "RDMA has failed: " + (cause == null ? failure : cause).getMessage();
        InetSocketAddress own = listenOverTcp(wanted, backlog, reason);
        routes.tell(
                List.of("listen", wanted),
                Member.text(own) + " listens over TCP only: " + reason
                        + "; a rule 'rdma' for this address forbids this");
    }

    private InetSocketAddress ownOverTcp() throws IOException {
        return SocketAddresses.inet(Objects.requireNonNull(tcp.localAddress()));
    }

    private InetSocketAddress listenOverTcp(InetSocketAddress wanted, int backlog, String reason) throws IOException {
        tcpReason = reason;
        tcp.listen(wanted, backlog);
        InetSocketAddress own = ownOverTcp();
        local = own;
        told = Connections.OF_PROCESS.listens(new Listening(own, backlog, reason));
        routes.listens(own, false, reason);
        return own;
    }

    private StreamListener<Stream> listenOverRdma(InetSocketAddress target, int backlog) throws SocketException {
        try {
            return StreamListener.listen(target, backlog, options.settings(null, null));
        } catch (RdmaException e) {
            SocketException refused = e instanceof ErrnoException errno
                    ? SocketErrors.ofSocket(-errno.errno().number())
                    : new SocketException(e.getMessage());
            throw SocketExceptions.caused(refused, e);
        }
    }

    private void begin(StreamListener<Stream> listener, InetSocketAddress own, String reason) {
        routes.listens(own, true, reason);
        rdma = listener;
        listener.onChange(this::tell);
        changed.run();
    }

    private void tell() {
        EventFd raised = signal;
        if (raised != null) {
            raised.raise();
        }
        descriptor().wakeWaiters();
        changed.run();
    }

    // The source.

    @Override
    public Source source() {
        return rdma == null ? tcp.source() : this;
    }

    @Override
    public KernelFd descriptor() {
        EventFd alone = signal;
        return alone == null ? tcp.source().descriptor() : alone.descriptor();
    }

    @Override
    public boolean isPolled() {
        return true;
    }

    @Override
    public void taken() {
        EventFd raised = signal;
        if (raised != null) {
            raised.lower();
        }
        descriptor().wakeWaiters();
    }

    @Override
    public int readiness() {
        StreamListener<Stream> listener = rdma;
        boolean ready = (listener != null && listener.isReady()) || (signal == null && tcp.isReady());
        return ready ? SocketCalls.POLLIN : 0;
    }

    // Accepting.

    @Override
    public @Nullable SocketAddress localAddress() {
        return local;
    }

    @Override
    public @Nullable Accepted accept() throws IOException {
        if (rdma == null) {
            return acceptOverTcp();
        }
        if (signal != null) {
            return acceptOverRdma();
        }
        tcpIsNext = !tcpIsNext;
        @Nullable Accepted first = tcpIsNext ? acceptOverTcp() : acceptOverRdma();
        if (first != null) {
            return first;
        }
        return tcpIsNext ? acceptOverRdma() : acceptOverTcp();
    }

    private @Nullable Accepted acceptOverTcp() throws IOException {
        Accepted accepted = tcp.accept();
        if (accepted != null) {
            InetSocketAddress remote = SocketAddresses.inet(accepted.remote());
            routes.accepts(remote, false);
            if (accepted.link() instanceof TcpLink link) {
                link.connected(remote, tcpReason);
            }
            Listening listening = told;
            if (listening != null) {
                listening.accepted();
            }
        }
        return accepted;
    }

    private @Nullable Accepted acceptOverRdma() throws IOException {
        StreamListener<Stream> listener = rdma;
        if (listener == null) {
            return null;
        }
        @Nullable Stream stream = null;
        try {
            stream = listener.poll();
        } catch (SocketException ended) {
            if (signal != null) {
                throw ended;
            }
            goOnOverTcp(listener, ended);
        }
        return stream == null ? null : link(stream);
    }

    /** The device is gone. */
    private void goOnOverTcp(StreamListener<Stream> listener, SocketException ended) {
        rdma = null;
        tcpReason = "RDMA has failed: " + ended.getMessage();
        listener.closeLater();
        InetSocketAddress own = SocketAddresses.inet(Objects.requireNonNull(local));
        routes.tell(List.of("listen", own), Member.text(own) + " listens over TCP only: " + tcpReason);
        changed.run();
    }

    /** Resets a connection that cannot be linked. */
    private Accepted link(Stream stream) {
        try {
            Accepted accepted = new Accepted(new RdmaLink(stream, options.copy()), stream.peerAddress());
            routes.accepts(stream.peerAddress(), true);
            return accepted;
        } catch (RuntimeException | Error e) {
            stream.abortLater();
            throw e;
        }
    }

    @Override
    public <T> void setOption(SocketOption<T> name, T value) throws IOException {
        tcp.setOption(name, value);
        options.set(name, value);
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return tcp.getOption(name);
    }

    @Override
    public void close() {
        StreamListener<Stream> listener = rdma;
        Listening listening = told;
        if (listening != null) {
            Connections.OF_PROCESS.listensNoMore(listening);
        }
        try {
            if (listener != null) {
                listener.close();
            }
        } catch (RdmaException e) {
            throw new IllegalStateException("closing " + listener, e);
        } finally {
            tcp.close();
            EventFd alone = signal;
            if (alone != null) {
                alone.raise();
                alone.close();
            }
        }
    }
}
