// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.connections;

import io.github.rdma4j.rsocket.management.ConnectionsMXBean;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;

/** What is told of a listener. It does not know the listener, which may become garbage. */
public final class Listening implements ConnectionsMXBean.Listener {
    private final InetSocketAddress local;
    private final int backlog;
    private final String reason;
    private final AtomicLong accepted = new AtomicLong();

    /** {@code reason} says why the listener goes over TCP, and is empty over RDMA. */
    public Listening(InetSocketAddress local, int backlog, String reason) {
        this.local = local;
        this.backlog = backlog;
        this.reason = reason;
    }

    /** The program has taken a connection. */
    public void accepted() {
        accepted.incrementAndGet();
    }

    @Override
    public String getTransport() {
        return Snapshot.transport(reason);
    }

    @Override
    public String getLocal() {
        return Snapshot.text(local);
    }

    @Override
    public int getBacklog() {
        return backlog;
    }

    @Override
    public long getAccepted() {
        return accepted.get();
    }

    @Override
    public String getReason() {
        return reason;
    }
}
