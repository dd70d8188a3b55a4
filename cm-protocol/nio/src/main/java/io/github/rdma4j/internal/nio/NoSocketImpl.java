// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;

/** Does nothing: for sockets that override every method, and for implementations of one kind of sockets. */
class NoSocketImpl extends SocketImpl {
    private static UnsupportedOperationException refusal() {
        return new UnsupportedOperationException("nothing calls this");
    }

    @Override
    protected void create(boolean stream) throws IOException {
        throw refusal();
    }

    @Override
    protected void connect(String host, int port) throws IOException {
        throw refusal();
    }

    @Override
    protected void connect(InetAddress address, int port) throws IOException {
        throw refusal();
    }

    @Override
    protected void connect(SocketAddress address, int timeout) throws IOException {
        throw refusal();
    }

    @Override
    protected void bind(InetAddress host, int port) throws IOException {
        throw refusal();
    }

    @Override
    protected void listen(int backlog) throws IOException {
        throw refusal();
    }

    @Override
    protected void accept(SocketImpl s) throws IOException {
        throw refusal();
    }

    @Override
    protected InputStream getInputStream() throws IOException {
        throw refusal();
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        throw refusal();
    }

    @Override
    protected int available() throws IOException {
        throw refusal();
    }

    @Override
    protected void close() throws IOException {
        throw refusal();
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        throw refusal();
    }

    @Override
    public void setOption(int optID, Object value) throws SocketException {
        throw refusal();
    }

    @Override
    public Object getOption(int optID) throws SocketException {
        throw refusal();
    }
}
