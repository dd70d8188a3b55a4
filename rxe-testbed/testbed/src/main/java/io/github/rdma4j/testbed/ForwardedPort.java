// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.exec.ExecClient;
import io.github.rdma4j.testbed.exec.PortForward;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * A TCP port of this machine's loopback address whose connections go to a port of a node, until it is closed. The node makes
 * a connection for every connection that is accepted here; one that the node cannot make is closed. Thread-safe.
 */
public final class ForwardedPort implements AutoCloseable {
    private final int port;
    private final PortForward forward;

    ForwardedPort(ExecClient client, String host, int port) throws IOException {
        this.port = port;
        forward = new PortForward(client, 0, InetSocketAddress.createUnresolved(host, port));
    }

    /** What to connect to on this machine. */
    public InetSocketAddress address() {
        return forward.address();
    }

    /** The port of this machine. */
    public int localPort() {
        return forward.address().getPort();
    }

    /** Closes the port and its connections. */
    @Override
    public void close() throws IOException {
        forward.close();
    }

    @Override
    public String toString() {
        return address() + " to port " + port + " of the node";
    }
}
