// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmDevice;
import io.github.rdma4j.internal.memory.Headroom;
import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.internal.ucm.CreateIdCommand;
import io.github.rdma4j.internal.ucm.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.EventReply;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.FirstFailure;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.KernelFd;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.Readiness;
import io.github.rdma4j.verbs.QueuePairType;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes CM ids and delivers their events in the order in which they happened ({@code rdma_create_event_channel(3)}).
 *
 * <p>Retrieving an event also does what belongs to it: after ADDR_RESOLVED the id knows its device, after
 * CONNECT_RESPONSE its queue pair is made ready and the event becomes ESTABLISHED. Several threads may retrieve events;
 * each event goes to one of them. {@link io.github.rdma4j.kernel.Readiness} waits for several channels at once. Closing
 * the channel closes its ids and wakes the threads that wait.
 *
 * <pre>{@code
 * try (EventChannel channel = EventChannel.open();
 *         CmId id = channel.createId(PortSpace.TCP)) {
 *     id.resolveAddress(server, Duration.ofSeconds(2));
 *     ...
 *     try (CmEvent event = channel.awaitEvent()) {
 *         if (event.type() != type) {
 *             throw event.toException(); // "REJECTED for CmId[...]: reason 8, nobody listens on that port"
 *         }
 *     }
 *     ...
 * }
 * }</pre>
 */
public final class EventChannel implements Pollable, AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    /** Never reused within a process, so that an event which comes late finds nobody; 0 the kernel takes for "none". */
    private static final AtomicLong UIDS = new AtomicLong();

    /** As many as the kernel lets wait at a listener, unless it was told another number (net.rdma_ucm.max_backlog). */
    private static final int MAX_WAITING_REQUESTS = 1024;

    private final Kernel kernel;
    private final KernelFd fd;
    private final RdmaUcm ucm;

    /** By uid; written under the id's lock. */
    private final Map<Long, EventSink> sinks = new ConcurrentHashMap<>();

    private final Set<CmId> ids = ConcurrentHashMap.newKeySet();

    /**
     * From reading an event until its id has it: so that the ids get their events in the order in which they were read. Nobody
     * waits for an id's lock, nor for a slow command, while holding this one.
     */
    private final ReentrantLock retrieval = new ReentrantLock();

    /** Ids with events that were read and have not taken effect; under the lock of retrieval. */
    private final Set<IdLock> busy = new LinkedHashSet<>();

    /** Whether {@link #busy} has any, for those who only look. */
    private volatile boolean someAreBusy;

    private EventChannel(Kernel kernel, KernelFd fd) {
        this.kernel = kernel;
        this.fd = fd;
        this.ucm = new RdmaUcm(fd);
        CLEANER.register(this, fd::close);
    }

    /**
     * Opens {@code /dev/infiniband/rdma_cm} of the running kernel.
     *
     * @throws ErrnoException ENOENT when the module or the node is missing, EACCES without permission
     */
    public static EventChannel open() throws RdmaException {
        return open(Kernel.running());
    }

    /** Opens {@code rdma_cm} of {@code kernel}. */
    public static EventChannel open(Kernel kernel) throws RdmaException {
        KernelFd fd = CmDevice.onNode(kernel, path -> openNode(kernel, path));
        try {
            fd.setNonBlocking();
        } catch (ErrnoException e) {
            fd.close();
            throw e;
        }
        return new EventChannel(kernel, fd);
    }

    private static KernelFd openNode(Kernel kernel, String path) throws ErrnoException {
        try {
            return KernelFd.open(kernel, path, Syscalls.O_RDWR);
        } catch (ErrnoException e) {
            throw new ErrnoException(e.operation(), e.errno(), adviceForOpen(e.errno(), path));
        }
    }

    private static String adviceForOpen(Errno errno, String path) {
        if (errno.equals(Errno.ENOENT)) {
            return "Load the module: modprobe rdma_ucm; in a container pass the node in: docker run --device=" + path;
        }
        if (errno.equals(Errno.EACCES) || errno.equals(Errno.EPERM)) {
            return "This user may not open it: chmod 666 " + path + " or a udev rule; in a container --device=" + path;
        }
        if (errno.equals(Errno.ENXIO) || errno.equals(Errno.ENODEV)) {
            return "The node is there but nobody is behind it: modprobe rdma_ucm";
        }
        return "";
    }

    /** Makes a CM id whose events come through this channel ({@code rdma_create_id(3)}). */
    public CmId createId(PortSpace portSpace) throws RdmaException {
        return createId(portSpace, portSpace.queuePairType());
    }

    /**
     * As {@link #createId(PortSpace)}, for queue pairs of a type of the caller's choice.
     *
     * @throws IllegalArgumentException for another type than the port space's own, except in {@link PortSpace#IB}
     */
    public CmId createId(PortSpace portSpace, QueuePairType type) throws RdmaException {
        portSpace.requireAllows(type);
        Headroom.await(); // an id that the kernel has made must not be forgotten
        long uid = newUid();
        CreateIdCommand body = new CreateIdCommand(uid, portSpace.code(), type.code());
        int handle = ucm.send(UcmCommand.CREATE_ID, body::encode).id();
        CmId id = CmId.created(this, portSpace, type, uid, handle);
        adopt(id);
        return id;
    }

    static long newUid() {
        return UIDS.incrementAndGet();
    }

    /** The id is on this channel from now on. */
    void adopt(CmId id) {
        Map<Long, EventSink> all = id.sinks();
        ids.add(id);
        try {
            all.forEach(sinks::put);
        } catch (OutOfMemoryError e) {
            ids.remove(id);
            throw e;
        }
        if (fd.isClosed()) {
            forget(id); // the kernel has destroyed it together with the descriptor
            throw new IllegalStateException(this + " is closed");
        }
    }

    void adopt(long uid, EventSink sink) {
        sinks.put(uid, sink);
    }

    void forget(CmId id) {
        id.sinks().keySet().forEach(sinks::remove);
        ids.remove(id);
    }

    void forget(long uid) {
        sinks.remove(uid);
    }

    ReentrantLock retrieval() {
        return retrieval;
    }

    /**
     * Waits for the next event without limit.
     *
     * @throws ClosedWhileWaitingException when the channel was closed meanwhile
     * @throws InterruptedException when the thread was interrupted; no event is lost
     */
    public CmEvent awaitEvent() throws RdmaException, InterruptedException {
        return await(Deadline.never()).orElseThrow();
    }

    /**
     * Waits for the next event; empty when the time ran out. {@link Duration#ZERO} asks without waiting.
     *
     * @throws ClosedWhileWaitingException when the channel was closed meanwhile
     * @throws InterruptedException when the thread was interrupted; no event is lost
     */
    public Optional<CmEvent> awaitEvent(Duration timeout) throws RdmaException, InterruptedException {
        return await(Deadline.after(timeout));
    }

    private Optional<CmEvent> await(Deadline deadline) throws RdmaException, InterruptedException {
        Optional<CmEvent> event = pollEvent();
        while (event.isEmpty() && Readiness.await(this, deadline)) {
            event = pollUnlessClosed();
        }
        return event;
    }

    /** Closed between two waits is closed while waiting. */
    private Optional<CmEvent> pollUnlessClosed() throws RdmaException {
        try {
            return pollEvent();
        } catch (IllegalStateException e) {
            if (fd.isClosed()) {
                throw new ClosedWhileWaitingException(fd.name());
            }
            throw e;
        }
    }

    /**
     * The next event if there is one. That of an id which another thread has a command under way for, or another event, comes
     * when that is over, and holds up no event of another id.
     *
     * @throws OutOfMemoryError when there is no memory for the event: it is not lost, and comes again for some seconds, after
     *     those of other ids
     */
    public Optional<CmEvent> pollEvent() throws RdmaException {
        while (true) {
            Delivery next = next();
            if (next == null) {
                return Optional.empty();
            }
            Optional<CmEvent> event = next.process();
            if (event.isPresent()) {
                return event;
            }
        }
    }

    /**
     * The next event that can take effect now, with its id's lock held; or an event for nobody; or null. Once an id's lock is
     * held, nothing here needs memory.
     */
    private @Nullable Delivery next() throws RdmaException {
        retrieval.lock();
        try {
            while (true) {
                Delivery due = due(false);
                if (due != null) {
                    return due;
                }
                Optional<EventReply> reply = ucm.getEvent(this::isDatagram);
                if (reply.isEmpty()) {
                    return due(true);
                }
                EventSink sink = sinks.get(reply.get().uid());
                if (sink == null || isOneTooMany(reply.get(), sink)) {
                    Delivery forNobody = new Delivery(reply.get(), null, this);
                    ucm.eventTaken();
                    return forNobody;
                }
                Delivery delivery = new Delivery(reply.get(), sink, this);
                busy.add(sink.lock());
                someAreBusy = true;
                sink.lock().add(delivery);
                ucm.eventTaken();
            }
        } finally {
            retrieval.unlock();
        }
    }

    /**
     * The oldest event of an id whose lock is free, under the lock. An id with an event that found no memory counts only if
     * {@code delayed}, when there is nothing else to do. An id stays busy until it is found without an event here, since the
     * event that is returned may come back.
     */
    private @Nullable Delivery due(boolean delayed) {
        Delivery due = null;
        for (Iterator<IdLock> ids = busy.iterator(); ids.hasNext() && due == null; ) {
            IdLock lock = ids.next();
            if ((delayed || !lock.isDelayed()) && lock.tryLock()) {
                due = lock.next();
                if (due == null) {
                    ids.remove();
                    lock.unlock();
                }
            }
        }
        someAreBusy = !busy.isEmpty();
        return due;
    }

    /** The kernel counts against the backlog what was not read; what was read and waits must not grow without bound. */
    private static boolean isOneTooMany(EventReply reply, EventSink sink) {
        return reply.event() == CmEventType.CONNECT_REQUEST.code()
                && sink.lock().events() >= MAX_WAITING_REQUESTS;
    }

    /** True when an event that was read before can take effect now. */
    @Override
    public boolean hasEvent() {
        if (!someAreBusy) {
            return false;
        }
        retrieval.lock();
        try {
            return busy.stream().anyMatch(IdLock::isDue);
        } finally {
            retrieval.unlock();
        }
    }

    /** The events that wait for the lock are to be taken here from now on. */
    void takeOver(IdLock lock) {
        retrieval.lock();
        try {
            if (lock.hasEvents()) {
                busy.add(lock);
                someAreBusy = true;
            }
        } finally {
            retrieval.unlock();
        }
        // For these events, and for those that the kernel has moved here, of which it tells nobody who waits.
        fd.wakeWaiters();
    }

    /** Under the lock of retrieval: the events that wait for the lock are not to be taken here any more. */
    void handOver(IdLock lock) {
        busy.remove(lock);
    }

    /** An event for nobody; the new id of a request is nobody's either, and its destruction tells the peer. */
    void drop(EventReply reply) {
        if (reply.event() == CmEventType.CONNECT_REQUEST.code()) {
            try {
                ucm.send(UcmCommand.DESTROY_ID, new DestroyIdCommand(reply.id())::encode);
            } catch (RdmaException | IllegalStateException gone) {
                // With the channel, or on another one, which has been closed with the listener.
            }
        }
    }

    private boolean isDatagram(long uid) {
        EventSink sink = sinks.get(uid);
        return sink != null && sink.isDatagram();
    }

    Kernel kernel() {
        return kernel;
    }

    RdmaUcm ucm() {
        return ucm;
    }

    @Override
    public KernelFd descriptor() {
        return fd;
    }

    public boolean isClosed() {
        return fd.isClosed();
    }

    /** Closes the ids of the channel, the newest first, then the channel. Idempotent; from any thread. */
    @Override
    public void close() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        closeIds(failure);
        fd.close();
        closeIds(failure); // those that came while the others were closed
        failure.throwIfAny();
    }

    private void closeIds(FirstFailure failure) {
        List<CmId> newestFirst = new ArrayList<>(ids);
        newestFirst.sort(Comparator.comparingLong(CmId::uid).reversed());
        for (CmId id : newestFirst) {
            failure.attempt(() -> id.closeIfOn(this));
        }
    }

    @Override
    public String toString() {
        return "EventChannel[" + fd + "]";
    }
}
