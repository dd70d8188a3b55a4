// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.libc.SocketCalls;
import io.github.rdma4j.internal.rsocket.Stream;
import io.github.rdma4j.kernel.Pollable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;

/** A stream over RDMA, which is connected. */
final class RdmaLink implements StreamLink, Source {
    private final Stream stream;
    private final KernelFd descriptor;
    private final RdmaOptions options;

    /** A read or a write has thrown. */
    private volatile boolean failureIsTold;

    RdmaLink(Stream stream, RdmaOptions options) {
        this.stream = stream;
        this.options = options;
        descriptor = KernelFd.of((Pollable) stream.descriptor());
        applyKeepAlive();
    }

    @Override
    public Source source() {
        return this;
    }

    @Override
    public void onChange(Runnable changed) {
        stream.onChange(changed);
    }

    // The source.

    @Override
    public KernelFd descriptor() {
        return descriptor;
    }

    @Override
    public boolean isPolled() {
        return true;
    }

    @Override
    public void taken() {
        stream.takeEvent();
        descriptor.wakeWaiters();
    }

    @Override
    public int readiness() {
        int ready = stream.ready();
        return ((ready & Stream.READABLE) != 0 ? SocketCalls.POLLIN : 0)
                | ((ready & Stream.WRITABLE) != 0 ? SocketCalls.POLLOUT : 0);
    }

    @Override
    public boolean arm(int events) {
        return stream.arm(((events & SocketCalls.POLLIN) != 0 ? Stream.READABLE : 0)
                | ((events & SocketCalls.POLLOUT) != 0 ? Stream.WRITABLE : 0));
    }

    // The link.

    @Override
    public InetSocketAddress localAddress() {
        return stream.localAddress();
    }

    @Override
    public String description() {
        return " over RDMA";
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        try {
            return stream.read(target);
        } catch (SocketException e) {
            throw failed(e);
        }
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        try {
            return stream.read(targets, offset, length);
        } catch (SocketException e) {
            throw failed(e);
        }
    }

    private IOException failed(SocketException e) {
        failureIsTold = true;
        return SocketErrors.plain(e);
    }

    /** As in the kernel: the first call gets the failure, later writes get a broken pipe. */
    private void checkOutput() throws IOException {
        if (failureIsTold) {
            throw SocketErrors.brokenPipe();
        }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        checkOutput();
        try {
            return stream.write(source);
        } catch (SocketException e) {
            throw failed(e);
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        checkOutput();
        try {
            return stream.write(sources, offset, length);
        } catch (SocketException e) {
            throw failed(e);
        }
    }

    @Override
    public boolean writeUrgent(byte data) throws IOException {
        throw new SocketException("a connection over RDMA has no urgent data");
    }

    @Override
    public int available() throws IOException {
        return stream.available();
    }

    @Override
    public void shutdownInput() throws IOException {
        stream.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        stream.shutdownOutput();
    }

    @Override
    public <T> void setOption(SocketOption<T> name, T value) throws IOException {
        if (descriptor.isClosed()) {
            throw new ClosedChannelException();
        }
        options.set(name, value);
        if (name == StandardSocketOptions.SO_KEEPALIVE || ExtendedOption.of(name) != null) {
            applyKeepAlive();
        }
    }

    private void applyKeepAlive() {
        stream.keepAlive(options.probes());
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return options.get(name);
    }

    @Override
    public void closeLater() {
        if (options.get(StandardSocketOptions.SO_LINGER) == 0) {
            stream.closeLater(Duration.ZERO);
        } else {
            stream.closeInBackground();
        }
    }

    @Override
    public void close() {
        int seconds = options.get(StandardSocketOptions.SO_LINGER);
        if (seconds <= 0) {
            closeLater();
            return;
        }
        try {
            stream.closeAfter(Duration.ofSeconds(seconds));
        } catch (IOException e) {
            throw new IllegalStateException("closing " + this, e);
        }
    }

    @Override
    public String toString() {
        return stream.toString();
    }
}
