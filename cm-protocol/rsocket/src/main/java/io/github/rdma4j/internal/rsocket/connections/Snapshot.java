// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.connections;

import io.github.rdma4j.internal.rsocket.connections.Member.Facts;
import io.github.rdma4j.rsocket.management.ConnectionsMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** A connection at one moment. */
final class Snapshot implements ConnectionsMXBean.Connection {
    private final String reason;
    private final Facts facts;
    private final long age;
    private final long read;
    private final long written;
    private final long stalls;

    /** {@code start} is the time at which the connection was made, by System.nanoTime(). */
    Snapshot(Member member, long start) {
        reason = member.reason();
        facts = member.facts();
        age = System.nanoTime() - start;
        Traffic traffic = member.traffic();
        read = traffic.bytesRead();
        written = traffic.bytesWritten();
        stalls = traffic.stalls();
    }

    /** Whatever goes over TCP has a reason. */
    static String transport(String reason) {
        return reason.isEmpty() ? "RDMA" : "TCP";
    }

    static String text(InetSocketAddress socket) {
        InetAddress address = socket.getAddress();
        String host = address.getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + socket.getPort();
    }

    @Override
    public String getTransport() {
        return transport(reason);
    }

    @Override
    public String getWire() {
        return facts.wire();
    }

    @Override
    public String getDevice() {
        return facts.device();
    }

    @Override
    public String getLocal() {
        return text(facts.local());
    }

    @Override
    public String getPeer() {
        return text(facts.peer());
    }

    @Override
    public long getAgeMillis() {
        return TimeUnit.NANOSECONDS.toMillis(age);
    }

    @Override
    public long getBytesRead() {
        return read;
    }

    @Override
    public long getBytesWritten() {
        return written;
    }

    @Override
    public long getCreditStalls() {
        return stalls;
    }

    @Override
    public String getState() {
        return facts.state();
    }

    @Override
    public String getReason() {
        return reason;
    }

    @Override
    public String getDetails() {
        return facts.details();
    }
}
