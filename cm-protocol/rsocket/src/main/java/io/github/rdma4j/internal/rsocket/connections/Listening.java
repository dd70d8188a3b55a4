// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.connections;

import io.github.rdma4j.rsocket.management.ConnectionsMXBean;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is told of a listener, by the names of the methods that tell it. It does not know the listener, which may become garbage.
 *
 * @param count the connections that the program has taken
 */
public record Listening(String getLocal, int getBacklog, String getReason, AtomicLong count)
        implements ConnectionsMXBean.Listener {
    /** {@code reason} says why the listener goes over TCP, and is empty over RDMA. */
    public Listening(InetSocketAddress local, int backlog, String reason) {
        this(Member.text(local), backlog, reason, new AtomicLong());
    }

    /** The program has taken a connection. */
    public void accepted() {
        count.incrementAndGet();
    }

    @Override
    public String getTransport() {
        return Member.transport(getReason);
    }

    @Override
    public long getAccepted() {
        return count.get();
    }
}
