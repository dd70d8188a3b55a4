// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketImpl;

/** Placeholder SocketImpl: ChannelSocket overrides every method, so nothing calls this. */
final class NoSocketImpl extends SocketImpl {
    private NoSocketImpl() {}

    static SocketImpl make() {
        return new NoSocketImpl();
    }

    private static UnsupportedOperationException refusal() {
        return new UnsupportedOperationException("the socket's channel does this");
    }

    @Override
    protected void create(boolean stream) {
        throw refusal();
    }

    @Override
    protected void connect(String host, int port) {
        throw refusal();
    }

    @Override
    protected void connect(InetAddress address, int port) {
        throw refusal();
    }

    @Override
    protected void connect(SocketAddress address, int timeout) {
        throw refusal();
    }

    @Override
    protected void bind(InetAddress host, int port) {
        throw refusal();
    }

    @Override
    protected void listen(int backlog) {
        throw refusal();
    }

    @Override
    protected void accept(SocketImpl s) {
        throw refusal();
    }

    @Override
    protected InputStream getInputStream() {
        throw refusal();
    }

    @Override
    protected OutputStream getOutputStream() {
        throw refusal();
    }

    @Override
    protected int available() {
        throw refusal();
    }

    @Override
    protected void close() {
        throw refusal();
    }

    @Override
    protected void sendUrgentData(int data) {
        throw refusal();
    }

    @Override
    public void setOption(int optID, Object value) {
        throw refusal();
    }

    @Override
    public Object getOption(int optID) {
        throw refusal();
    }
}
