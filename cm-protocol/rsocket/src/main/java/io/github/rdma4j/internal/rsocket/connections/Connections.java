// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.connections;

import io.github.rdma4j.internal.flight.ConnectionCounts;
import io.github.rdma4j.internal.flight.Flight;
import io.github.rdma4j.rsocket.management.ConnectionsMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The connections that are open, the counts of all that there were, and the listeners. Safe for use by several threads. */
public final class Connections implements ConnectionsMXBean {
    /** Those of this process. */
    public static final Connections OF_PROCESS = new Connections(Connections::startToAnnounce);

    /** Called once, after the first connection or listener was made; does not wait. */
    private final Consumer<Connections> announcement;

    private final AtomicBoolean announced = new AtomicBoolean();

    /** The last of all locks: whoever has it takes no other, and does not wait. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Each with the time at which it was made, by System.nanoTime(). */
    private final Map<Member, Long> open = new LinkedHashMap<>();

    private final Set<Listening> listeners = new LinkedHashSet<>();
    private final Map<String, Long> tcpReasons = new TreeMap<>();
    private final Traffic ended = new Traffic();
    private long openedOverRdma;
    private long openedOverTcp;
    private long closedOverRdma;
    private long closedOverTcp;

    Connections(Consumer<Connections> announcement) {
        this.announcement = announcement;
    }

    /** A connection is made. */
    public void opened(Member member) {
        lock.lock();
        try {
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
        announce();
    }

    private void announce() {
        if (!announced.getAndSet(true)) {
            announcement.accept(this);
        }
    }

    /** By the Flight Recorder and by JMX, on a thread of its own: the first use of JMX loads hundreds of classes. */
    private static void startToAnnounce(Connections connections) {
        Thread thread = new Thread(connections::announceNow, "rdma4j-connections");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            // The connections work without.
        }
    }

    private void announceNow() {
        Flight.countConnections(this::counts);
        if (hasManagement()) {
            Registration.register(this);
        }
    }

    private static boolean hasManagement() {
        try {
            Class.forName("java.lang.management.ManagementFactory");
            return true;
        } catch (ClassNotFoundException noModule) {
            return false;
        }
    }

    /** Registers connections with the platform's server of MBeans. */
    static final class Registration {
        private static final System.Logger LOG = System.getLogger("io.github.rdma4j.rsocket");

        private Registration() {}

        /** A second copy of the library, with a class loader of its own, gets a name with a number. */
        static void register(ConnectionsMXBean connections) {
            try {
                MBeanServer server = ManagementFactory.getPlatformMBeanServer();
                String name = ConnectionsMXBean.OBJECT_NAME;
                for (int copy = 2; !register(server, connections, name); copy++) {
                    name = ConnectionsMXBean.OBJECT_NAME + ",copy=" + copy;
                }
            } catch (JMException | RuntimeException | LinkageError | ServiceConfigurationError refused) {
                // Without descriptors the JVM cannot load what JMX needs.
                LOG.log(System.Logger.Level.WARNING, "JMX does not show the connections", refused);
            }
        }

        private static boolean register(MBeanServer server, ConnectionsMXBean connections, String name)
                throws JMException {
            try {
                Object unused = server.registerMBean(connections, new ObjectName(name));
                return true;
            } catch (InstanceAlreadyExistsException taken) {
                return false;
            }
        }
    }

    /** A listener has begun, and is returned. */
    public Listening listens(Listening listener) {
        lock.lock();
        try {
            listeners.add(listener);
        } finally {
            lock.unlock();
        }
        announce();
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
        members.forEach((member, start) -> list.add(Snapshot.of(member, start)));
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
