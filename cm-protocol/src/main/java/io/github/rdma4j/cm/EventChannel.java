// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.Bursts;
import io.github.rdma4j.internal.cm.CmDevice;
import io.github.rdma4j.internal.memory.Headroom;
import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.syscall.NodeAdvice;
import io.github.rdma4j.internal.syscall.Polling;
import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.internal.ucm.IdCommands.CreateIdCommand;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes CM ids and delivers their events in the order in which they happened ({@code rdma_create_event_channel(3)}).
 *
 * <p>Retrieving an event also does what belongs to it: after ADDR_RESOLVED the id knows its device, after
 * CONNECT_RESPONSE its queue pair is made ready and the event becomes ESTABLISHED. Several threads may retrieve events;
 * each event goes to one of them. {@link io.github.rdma4j.kernel.ReadinessSet} waits for several channels at once. Closing
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

    /** Never reused within a process, so that an event that comes late finds no other id; the kernel takes 0 for "none". */
    private static final AtomicLong UIDS = new AtomicLong();

    private final Kernel kernel;
    private final KernelFd fd;
    private final Events events;
    private final Bursts bursts = new Bursts();

    private EventChannel(Kernel kernel, KernelFd fd) {
        this.kernel = kernel;
        this.fd = fd;
        this.events = new Events(this, fd, new RdmaUcm(kernel, fd));
        CLEANER.register(this, fd::close);
    }

    /** The retrieval of a channel's events, from which the channel can be told: ids know the former alone. */
    private static final class Events extends Retrieval {
        private final EventChannel channel;

        Events(EventChannel channel, KernelFd fd, RdmaUcm ucm) {
            super(fd, ucm);
            this.channel = channel;
        }
    }

    /** The channel that {@code events} come through. */
    static EventChannel of(Retrieval events) {
        return ((Events) events).channel;
    }

    Retrieval retrieval() {
        return events;
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
            throw new ErrnoException(e.operation(), e.errno(), NodeAdvice.forOpen(e.errno(), path, "rdma_ucm"));
        }
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
        int handle = events.ucm().send(UcmCommand.CREATE_ID, body::encode).id();
        CmId id = CmId.created(events, new CmIdCore.Identity(portSpace, type, uid, handle));
        events.add(id.member());
        return id;
    }

    static long newUid() {
        return UIDS.incrementAndGet();
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

    /** Waits for the next event; empty when the time ran out. */
    Optional<CmEvent> await(Deadline deadline) throws RdmaException, InterruptedException {
        Optional<CmEvent> event = Optional.empty();
        if (bursts.isLikely()) {
            event = pollEvent();
            bursts.asked(event.isPresent());
        }
        while (event.isEmpty() && Polling.await(this, deadline)) {
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
     * The next event if there is one. While another thread runs a command of an id, or processes an event of the id, further
     * events of that id wait; events of other ids do not.
     *
     * @throws OutOfMemoryError when there is no memory for the event: it is not lost, and comes again for some seconds, after
     *     those of other ids
     */
    public Optional<CmEvent> pollEvent() throws RdmaException {
        while (true) {
            Delivery next = events.next();
            if (next == null) {
                return Optional.empty();
            }
            Optional<RetrievedEvent> event = next.process();
            if (event.isPresent()) {
                return event.map(CmEvent.class::cast);
            }
        }
    }

    /** True when an event that was read before can take effect now. */
    @Override
    public boolean hasEvent() {
        return events.hasEvent();
    }

    Kernel kernel() {
        return kernel;
    }

    @Override
    public Descriptor descriptor() {
        return fd;
    }

    public boolean isClosed() {
        return fd.isClosed();
    }

    /** Closes the ids of the channel, the newest first, then the channel. Idempotent; from any thread. */
    @Override
    public void close() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        events.closeIds(failure);
        fd.close();
        events.closeIds(failure); // those that came while the others were closed
        failure.throwIfAny();
    }

    @Override
    public String toString() {
        return events.toString();
    }
}
