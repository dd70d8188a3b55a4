// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.connections;

import io.github.rdma4j.internal.rsocket.connections.Member.Facts;
import io.github.rdma4j.rsocket.management.ConnectionsMXBean;
import java.util.concurrent.TimeUnit;

/** A connection at one moment. The components have the names of the methods that they implement. */
record Snapshot(
        String getTransport,
        String getWire,
        String getDevice,
        String getLocal,
        String getPeer,
        long getAgeMillis,
        long getBytesRead,
        long getBytesWritten,
        long getCreditStalls,
        String getState,
        String getReason,
        String getDetails)
        implements ConnectionsMXBean.Connection {
    /** {@code start} is the time at which the connection was made, by System.nanoTime(). */
    static Snapshot of(Member member, long start) {
        Facts facts = member.facts();
        Traffic traffic = member.traffic();
        return new Snapshot(
                Member.transport(member.reason()),
                facts.wire(),
                facts.device(),
                Member.text(facts.local()),
                Member.text(facts.peer()),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start),
                traffic.bytesRead(),
                traffic.bytesWritten(),
                traffic.stalls(),
                facts.state(),
                member.reason(),
                facts.details());
    }
}
