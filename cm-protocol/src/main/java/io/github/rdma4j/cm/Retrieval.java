// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmDevice;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.internal.undo.FirstFailure;
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
 * Reads the events of one descriptor of the connection manager, queues each at its id, and finds the next event that
 * can be processed. Keeps the list of ids on the descriptor.
 */
class Retrieval {
    /** The event channel of a CM id, which a migration changes under the id's lock. */
    static final class Current {
        volatile Retrieval channel;

        Current(Retrieval channel) {
            this.channel = channel;
        }
    }

    final KernelFd fd;
    final RdmaUcm ucm;

    /** The sinks by uid; written under the id's lock. */
    private final Map<Long, EventSink> sinks = new ConcurrentHashMap<>();

    private final Set<ChannelMember> members = ConcurrentHashMap.newKeySet();

    /**
     * Held from reading an event until it is queued at its id, so that ids receive their events in the order of
     * reading. A holder waits neither for an id's lock nor for a slow command.
     */
    final ReentrantLock reading = new ReentrantLock();

    /** The locks of ids with queued events; guarded by {@link #reading}. */
    private final Set<IdLock> busy = new LinkedHashSet<>();

    /** True if {@link #busy} is not empty, for checks without the lock. */
    private volatile boolean someAreBusy;

    Retrieval(KernelFd fd, RdmaUcm ucm) {
        this.fd = fd;
        this.ucm = ucm;
    }

    boolean isClosed() {
        return fd.isClosed();
    }

    /** Adds an id to this descriptor. */
    void add(ChannelMember id) {
        members.add(id);
        id.sinks().forEach(sinks::put);
        if (fd.isClosed()) {
            forget(id); // the kernel has destroyed the id together with the descriptor
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

    /** Closes the ids on the descriptor, newest first. */
    void closeIds(FirstFailure failure) {
        List<ChannelMember> newestFirst = new ArrayList<>(members);
        newestFirst.sort(
                Comparator.comparingLong((ChannelMember id) -> id.uid()).reversed());
        for (ChannelMember id : newestFirst) {
            failure.attempt(() -> id.closeIfOn(this));
        }
    }

    /** Returns the next event that can be processed now, with its id's lock held; an event without an id; or null. */
    @Nullable
    Delivery next() throws RdmaException {
        reading.lock();
        try {
            boolean hasRead = false;
            while (true) {
                Delivery due = due();
                if (due != null) {
                    return wakingOthers(due);
                }
                if (hasRead) {
                    hasRead = false;
                    yieldToCommand();
                    continue;
                }
                Optional<EventReply> reply = ucm.getEvent(this::isDatagram);
                if (reply.isEmpty()) {
                    return wakingOthers(due());
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
     * Wakes other threads before the caller processes {@code due}, if a further event can be processed. The other
     * threads may sleep because they found the descriptor empty: the command that delayed the further event has ended,
     * and did not wake them if it saw only {@code due}.
     */
    private @Nullable Delivery wakingOthers(@Nullable Delivery due) {
        if (due != null && isAnyDue()) {
            fd.wakeWaiters();
        }
        return due;
    }

    private boolean isAnyDue() {
        if (!busy.isEmpty()) {
            for (IdLock lock : busy) {
                if (lock.isDue()) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Yields to the thread of a command. The kernel often queues an event before the command that causes it returns,
     * while the thread of the command holds the id's lock. Waiting for the channel instead would cost both threads five
     * system calls.
     */
    @SuppressWarnings("ThreadPriorityCheck") // affects the cost, not the correctness
    private void yieldToCommand() {
        reading.unlock();
        try {
            Thread.yield();
        } finally {
            reading.lock();
        }
    }

    /**
     * Returns the oldest event of an id whose lock is free, and takes the lock. An id stays busy until it has no event
     * here.
     */
    private @Nullable Delivery due() {
        if (!someAreBusy) {
            return null;
        }
        Delivery due = null;
        for (Iterator<IdLock> locks = busy.iterator(); locks.hasNext() && due == null; ) {
            IdLock lock = locks.next();
            if (lock.tryLock()) {
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

    /**
     * Returns true if a request exceeds the backlog. The kernel counts only unread requests, but the queue of read
     * requests must be bounded too.
     */
    private static boolean exceedsBacklog(EventReply reply, EventSink sink) {
        return reply.event() == CmEventType.CONNECT_REQUEST.code()
                && sink.lock().events() >= CmDevice.MAX_BACKLOG;
    }

    private boolean isDatagram(long uid) {
        EventSink sink = sinks.get(uid);
        return sink != null && sink.isDatagram();
    }

    /** Returns true if an event that was already read can be processed now. */
    boolean hasEvent() {
        if (!someAreBusy && !ucm.holdsEvent()) {
            return false;
        }
        reading.lock();
        try {
            return ucm.holdsEvent() || isAnyDue();
        } finally {
            reading.unlock();
        }
    }

    /** Takes over the queued events of an id that has moved to this channel. */
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
        // for these events, and for events that the kernel has moved here without waking the threads in poll(2)
        fd.wakeWaiters();
    }

    /** Stops processing the queued events of an id here. Call under {@link #reading}. */
    void handOver(IdLock lock) {
        busy.remove(lock);
    }

    /** Returns a description of the channel for messages. */
    @Override
    public String toString() {
        return "EventChannel[" + fd + "]";
    }
}
