// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of one descriptor of the connection manager, gives each to the id that it is for, and finds the next
 * event that can take effect. Knows which ids are on the descriptor.
 */
class Retrieval {
    /** As many as the kernel lets wait at a listener, unless it was told another number (net.rdma_ucm.max_backlog). */
    private static final int MAX_WAITING_REQUESTS = 1024;

    private final KernelFd fd;
    private final RdmaUcm ucm;

    /** By uid; written under the id's lock. */
    private final Map<Long, EventSink> sinks = new ConcurrentHashMap<>();

    private final Set<ChannelMember> members = ConcurrentHashMap.newKeySet();

    /**
     * Held from reading an event until its id has it: so that the ids get their events in the order in which they were read.
     * No thread waits for an id's lock, nor for a slow command, while holding this one.
     */
    private final ReentrantLock reading = new ReentrantLock();

    /** Ids with events that were read and have not taken effect; under {@link #reading}. */
    private final Set<IdLock> busy = new LinkedHashSet<>();

    /** Whether {@link #busy} has any, for those who only look. */
    private volatile boolean someAreBusy;

    Retrieval(KernelFd fd, RdmaUcm ucm) {
        this.fd = fd;
        this.ucm = ucm;
    }

    KernelFd descriptor() {
        return fd;
    }

    RdmaUcm ucm() {
        return ucm;
    }

    boolean isClosed() {
        return fd.isClosed();
    }

    ReentrantLock reading() {
        return reading;
    }

    /** The id is on this descriptor from now on. */
    void add(ChannelMember id) {
        Map<Long, EventSink> all = id.sinks();
        members.add(id);
        try {
            all.forEach(sinks::put);
        } catch (OutOfMemoryError e) {
            members.remove(id);
            throw e;
        }
        if (fd.isClosed()) {
            forget(id); // the kernel has destroyed it together with the descriptor
            throw new IllegalStateException(this + " is closed");
        }
    }

    void add(long uid, EventSink sink) {
        sinks.put(uid, sink);
    }

    void forget(ChannelMember id) {
        id.sinks().keySet().forEach(sinks::remove);
        members.remove(id);
    }

    void forget(long uid) {
        sinks.remove(uid);
    }

    /** Closes the ids that are on the descriptor, the newest first. */
    void closeIds(FirstFailure failure) {
        List<ChannelMember> newestFirst = new ArrayList<>(members);
        newestFirst.sort(
                Comparator.comparingLong((ChannelMember id) -> id.uid()).reversed());
        for (ChannelMember id : newestFirst) {
            failure.attempt(() -> id.closeIfOn(this));
        }
    }

    /**
     * The next event that can take effect now, with its id's lock held; or an event that no id takes; or null. Once an id's lock is
     * held, nothing here needs memory.
     */
    @Nullable
    Delivery next() throws RdmaException {
        reading.lock();
        try {
            boolean hasRead = false;
            while (true) {
                Delivery due = due(false);
                if (due != null) {
                    return wakingOthers(due);
                }
                if (hasRead) {
                    hasRead = false;
                    letCommandEnd();
                    continue;
                }
                Optional<EventReply> reply = ucm.getEvent(this::isDatagram);
                if (reply.isEmpty()) {
                    return wakingOthers(due(true));
                }
                EventSink sink = sinks.get(reply.get().uid());
                if (sink == null || exceedsBacklog(reply.get(), sink)) {
                    Delivery untaken = new Delivery(reply.get(), sink, ucm, false);
                    ucm.eventTaken();
                    return untaken;
                }
                Delivery delivery = new Delivery(reply.get(), sink, ucm, true);
                busy.add(sink.lock());
                someAreBusy = true;
                sink.lock().add(delivery);
                ucm.eventTaken();
                hasRead = true;
            }
        } finally {
            reading.unlock();
        }
    }

    /**
     * The caller is about to be busy with {@code due}. When a further event can take effect, threads that found the descriptor
     * empty must not sleep on: the command that was in the way has ended meanwhile, and has woken nobody if {@code due} was the
     * only event that it has seen.
     */
    private @Nullable Delivery wakingOthers(@Nullable Delivery due) {
        if (due != null && busy.stream().anyMatch(IdLock::isDue)) {
            fd.wakeWaiters();
        }
        return due;
    }

    /**
     * The kernel often has the event before the command that leads to it returns, and the command's thread still holds the lock of
     * the id. To wait for the channel instead costs five system calls of both threads.
     */
    @SuppressWarnings("ThreadPriorityCheck") // a matter of cost, not of correctness
    private void letCommandEnd() {
        reading.unlock();
        try {
            Thread.yield();
        } finally {
            reading.lock();
        }
    }

    /**
     * The oldest event of an id whose lock is free, under the lock. An id with an event that found no memory counts only if
     * {@code delayed}, when there is nothing else to do. An id stays busy until it is found without an event here, since the
     * event that is returned may come back.
     */
    private @Nullable Delivery due(boolean delayed) {
        Delivery due = null;
        for (Iterator<IdLock> locks = busy.iterator(); locks.hasNext() && due == null; ) {
            IdLock lock = locks.next();
            if ((delayed || !lock.isDelayed()) && lock.tryLock()) {
                due = lock.next();
                if (due == null) {
                    locks.remove();
                    lock.unlock();
                }
            }
        }
        someAreBusy = !busy.isEmpty();
        return due;
    }

    /** The kernel counts against the backlog what was not read; what was read and waits must not grow without bound. */
    private static boolean exceedsBacklog(EventReply reply, EventSink sink) {
        return reply.event() == CmEventType.CONNECT_REQUEST.code()
                && sink.lock().events() >= MAX_WAITING_REQUESTS;
    }

    private boolean isDatagram(long uid) {
        EventSink sink = sinks.get(uid);
        return sink != null && sink.isDatagram();
    }

    /** True when an event that was read before can take effect now. */
    boolean hasEvent() {
        if (!someAreBusy) {
            return false;
        }
        reading.lock();
        try {
            return busy.stream().anyMatch(IdLock::isDue);
        } finally {
            reading.unlock();
        }
    }

    /** The events that wait for the lock must be taken here from now on. */
    void takeOver(IdLock lock) {
        reading.lock();
        try {
            if (lock.hasEvents()) {
                busy.add(lock);
                someAreBusy = true;
            }
        } finally {
            reading.unlock();
        }
        // For these events, and for those that the kernel has moved here without waking the threads that wait in
        // poll(2).
        fd.wakeWaiters();
    }

    /** Under {@link #reading()}: the events that wait for the lock must not be taken here any more. */
    void handOver(IdLock lock) {
        busy.remove(lock);
    }

    /** The channel as messages name it. */
    @Override
    public String toString() {
        return "EventChannel[" + fd + "]";
    }
}
