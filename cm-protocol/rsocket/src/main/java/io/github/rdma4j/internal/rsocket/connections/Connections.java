// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.connections;

import io.github.rdma4j.internal.flight.ConnectionCounts;
import io.github.rdma4j.rsocket.management.ConnectionsMXBean;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** The connections that are open, the counts of all that there were, and the listeners. Safe for use by several threads. */
public final class Connections implements ConnectionsMXBean {
    /** Those of this process. */
    public static final Connections OF_PROCESS = new Connections(Announcement::start);

    private final Announcement announcement;

    /** The last of all locks: whoever has it takes no other, and does not wait. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Each with the time at which it was made, by System.nanoTime(). */
    private final Map<Member, Long> open = new LinkedHashMap<>();

    private final Set<Listening> listeners = new LinkedHashSet<>();
    private final Map<String, Long> tcpReasons = new TreeMap<>();
    private final Traffic ended = new Traffic();
    private boolean announced;
    private long openedOverRdma;
    private long openedOverTcp;
    private long closedOverRdma;
    private long closedOverTcp;

    Connections(Announcement announcement) {
        this.announcement = announcement;
    }

    /** A connection is made. */
    public void opened(Member member) {
        boolean first;
        lock.lock();
        try {
            first = isFirst();
            open.put(member, System.nanoTime());
            if (member.isOverRdma()) {
                openedOverRdma++;
            } else {
                openedOverTcp++;
                long unused = tcpReasons.merge(kind(member.reason()), 1L, Long::sum);
            }
        } finally {
            lock.unlock();
        }
        announce(first);
    }

    /** Needs the lock. */
    private boolean isFirst() {
        boolean first = !announced;
        announced = true;
        return first;
    }

    private void announce(boolean first) {
        if (first) {
            announcement.of(this, this::counts);
        }
    }

    /** A listener has begun, and is returned. */
    public Listening listens(Listening listener) {
        boolean first;
        lock.lock();
        try {
            first = isFirst();
            listeners.add(listener);
        } finally {
            lock.unlock();
        }
        announce(first);
        return listener;
    }

    /** A listener is closed. */
    public void listensNoMore(Listening listener) {
        lock.lock();
        try {
            listeners.remove(listener);
        } finally {
            lock.unlock();
        }
    }

    /** What several reasons have in common. */
    private static String kind(String reason) {
        return reason.replaceFirst("(?s)(?::| within ).*", "");
    }

    /** A connection has ended. Nothing if it was never made, or has ended before. */
    public void closed(Member member) {
        lock.lock();
        try {
            if (open.remove(member) == null) {
                return;
            }
            ended.add(member.traffic());
            if (member.isOverRdma()) {
                closedOverRdma++;
            } else {
                closedOverTcp++;
            }
        } finally {
            lock.unlock();
        }
    }

    /** All counts at one moment. */
    public ConnectionCounts counts() {
        lock.lock();
        try {
            Traffic all = new Traffic();
            all.add(ended);
            open.keySet().forEach(member -> all.add(member.traffic()));
            return new ConnectionCounts(
                    openedOverRdma,
                    openedOverTcp,
                    closedOverRdma,
                    closedOverTcp,
                    all.bytesRead(),
                    all.bytesWritten(),
                    all.stalls(),
                    Map.copyOf(tcpReasons));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<Connection> getConnections() {
        Map<Member, Long> members;
        lock.lock();
        try {
            members = new LinkedHashMap<>(open);
        } finally {
            lock.unlock();
        }
        List<Connection> list = new ArrayList<>();
        members.forEach((member, start) -> list.add(new Snapshot(member, start)));
        return list;
    }

    @Override
    public List<Listener> getListeners() {
        lock.lock();
        try {
            return List.copyOf(listeners);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long getOpenedOverRdma() {
        return counts().openedOverRdma();
    }

    @Override
    public long getOpenedOverTcp() {
        return counts().openedOverTcp();
    }

    @Override
    public long getClosedOverRdma() {
        return counts().closedOverRdma();
    }

    @Override
    public long getClosedOverTcp() {
        return counts().closedOverTcp();
    }

    @Override
    public long getBytesRead() {
        return counts().bytesRead();
    }

    @Override
    public long getBytesWritten() {
        return counts().bytesWritten();
    }

    @Override
    public long getCreditStalls() {
        return counts().creditStalls();
    }

    @Override
    public Map<String, Long> getTcpReasons() {
        return counts().tcpReasons();
    }
}
