// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.rsocket.Stream;
import io.github.rdma4j.internal.rsocket.StreamConnect;
import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.syscall.SocketCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A link that goes over RDMA or over TCP, which it finds out when it connects. Until then it is a socket of TCP. */
final class RoutedLink implements StreamLink {
    private final TcpLink tcp;
    private final Routes routes;
    private final RdmaOptions options = new RdmaOptions();

    /** For all that changes, but not for the bytes. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile StreamLink now;
    private volatile @Nullable Attempt attempt;
    private volatile Runnable changed = () -> {};
    private boolean closed;

    /** Where the attempt over RDMA went, and why it failed; until TCP has answered. */
    private @Nullable InetSocketAddress refusedTarget;

    private @Nullable IOException refusal;

    RoutedLink(TcpLink tcp, Routes routes) {
        this.tcp = tcp;
        this.routes = routes;
        now = tcp;
    }

    /** An attempt over RDMA, as a source that becomes ready when it has failed for good. */
    private static final class Attempt implements Source {
        private final InetSocketAddress remote;
        private final Routes.Route route;
        private final StreamConnect<Stream> connect;
        private final Signal signal;

        /** Why the channel cannot connect; null while it may. */
        private volatile @Nullable IOException failure;

        Attempt(InetSocketAddress remote, Routes.Route route, StreamConnect<Stream> connect, Signal signal) {
            this.remote = remote;
            this.route = route;
            this.connect = connect;
            this.signal = signal;
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
    public @Nullable InetSocketAddress localAddress() throws IOException {
        return now.localAddress();
    }

    @Override
    public void bind(InetSocketAddress local) throws IOException {
        tcp.bind(local);
    }

    @Override
    public boolean connect(InetSocketAddress remote) throws IOException {
        Routes.Route route = routes.to(remote, tcp.localAddress());
        InetSocketAddress target = route.rdma();
        if (target == null) {
            return tcp.connect(remote);
        }
        Signal signal = Signal.open();
        StreamConnect<Stream> connect =
                StreamConnect.start(target, options.settings(route.source(), route.fallback() ? Routes.CAP : null));
        Attempt made = new Attempt(remote, route, connect, signal);
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
        connect.onChange(() -> over(made));
        if (route.fallback()) {
            connect.limit(Routes.CAP);
        }
        return false;
    }

    /** The attempt is over; called by the thread that all connects share. */
    private void over(Attempt made) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            try {
                Stream stream = made.connect.finish();
                if (stream != null) {
                    succeed(stream);
                }
            } catch (IOException e) {
                fail(made, e);
            }
        } finally {
            lock.unlock();
        }
        made.signal.raise();
        changed.run();
        if (attempt != made) {
            made.signal.close();
        }
    }

    private void succeed(Stream stream) {
        RdmaLink link = new RdmaLink(stream, options);
        link.onChange(changed);
        now = link;
        attempt = null;
        tcp.close();
    }

    private void fail(Attempt made, IOException why) {
        if (!made.route.fallback()) {
            made.failure = SocketErrors.plainConnect(why);
            return;
        }
        refusedTarget = made.route.rdma();
        refusal = why;
        try {
            boolean unused = tcp.connect(made.remote);
            attempt = null;
        } catch (IOException e) {
            e.addSuppressed(why);
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
            boolean connected = now.finishConnect();
            if (connected && refusedTarget != null && refusal != null) {
                routes.answeredOverTcp(refusedTarget, refusal);
                refusedTarget = null;
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
                tcp.close();
            }
        } finally {
            lock.unlock();
        }
        now.close();
    }
}
