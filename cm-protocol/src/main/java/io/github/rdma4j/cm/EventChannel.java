// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.Bursts;
import io.github.rdma4j.internal.cm.CmDevice;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.NodeAdvice;
import io.github.rdma4j.internal.fd.Polling;
import io.github.rdma4j.internal.ucm.IdCommands.CreateIdCommand;
import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.internal.undo.Uninterrupted;
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
 * Creates CM ids and delivers their events in order ({@code rdma_create_event_channel(3)}).
 *
 * <p>Retrieving an event also performs its consequences: after ADDR_RESOLVED the id knows its device; after
 * CONNECT_RESPONSE the id's queue pair is made ready, and the event becomes ESTABLISHED. Several threads may retrieve
 * events; each event goes to one of them. {@link io.github.rdma4j.kernel.ReadinessSet} waits for several channels at
 * once. Closing the channel closes its ids and wakes the waiting threads.
 *
 * <pre>{@code
 * try (EventChannel channel = EventChannel.open();
 *         CmId id = channel.createId(PortSpace.TCP)) {
 *     id.resolveAddress(server, Duration.ofSeconds(2));
 *     ...
 *     try (CmEvent event = channel.awaitEvent()) {
 *         if (event.type() != type) {
 *             throw event.toException(); // "REJECTED for CmId[...]: reason 8, no listener on that port"
 *         }
 *     }
 *     ...
 * }
 * }</pre>
 */
public final class EventChannel implements Pollable, AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    /** Unique in the process, so that a late event never finds another id. The kernel uses 0 for "none". */
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

    /**
     * The retrieval of the events of a channel, with a reference to the channel. Ids refer to {@link Retrieval} only.
     */
    private static final class Events extends Retrieval {
        private final EventChannel channel;

        Events(EventChannel channel, KernelFd fd, RdmaUcm ucm) {
            super(fd, ucm);
            this.channel = channel;
        }
    }

    /** Returns the channel of {@code events}. */
    static EventChannel of(Retrieval events) {
        return ((Events) events).channel;
    }

    Retrieval retrieval() {
        return events;
    }

    /**
     * Opens {@code /dev/infiniband/rdma_cm} of the running kernel.
     *
     * @throws ErrnoException ENODEV if the kernel module is not loaded, ENOENT if the device node is missing, EACCES
     *     without permission to open it
     */
    public static EventChannel open() throws RdmaException {
        return open(Kernel.running());
    }

    /** Opens {@code rdma_cm} of {@code kernel}; for tests. */
    public static EventChannel open(Kernel kernel) throws RdmaException {
        KernelFd fd = CmDevice.onNode(kernel, path -> openNode(kernel, path));
        return Undo.onFailure(
                () -> {
                    fd.setNonBlocking();
                    return new EventChannel(kernel, fd);
                },
                fd::close);
    }

    private static KernelFd openNode(Kernel kernel, String path) throws ErrnoException {
        try {
            return KernelFd.open(kernel, path);
        } catch (ErrnoException e) {
            throw new ErrnoException(e.operation(), e.errno(), NodeAdvice.forOpen(e.errno(), path, "rdma_ucm"));
        }
    }

    /** Creates a CM id whose events are delivered through this channel ({@code rdma_create_id(3)}). */
    public CmId createId(PortSpace portSpace) throws RdmaException {
        return createId(portSpace, portSpace.queuePairType());
    }

    /**
     * Like {@link #createId(PortSpace)}, for queue pairs of the given type.
     *
     * @throws IllegalArgumentException for a type other than {@link PortSpace#queuePairType()}, except in {@link
     *     PortSpace#IB}
     */
    public CmId createId(PortSpace portSpace, QueuePairType type) throws RdmaException {
        portSpace.requireAllows(type);
        long uid = newUid();
        CreateIdCommand body = new CreateIdCommand(uid, portSpace.code(), type.code());
        int handle = events.ucm.send(UcmCommand.CREATE_ID, body::encode).id();
        return Undo.onFailure(
                () -> enter(new CmIdCore.Identity(portSpace, type, uid, handle)),
                () -> events.ucm.send(UcmCommand.DESTROY_ID, new DestroyIdCommand(handle)::encode));
    }

    private CmId enter(CmIdCore.Identity identity) {
        CmId id = CmId.created(events, identity);
        events.add(id.member());
        return id;
    }

    static long newUid() {
        return UIDS.incrementAndGet();
    }

    /**
     * Waits for the next event, without a time limit.
     *
     * @throws ClosedWhileWaitingException if the channel is closed during the wait
     * @throws InterruptedException if the thread is interrupted; no event is lost
     */
    public CmEvent awaitEvent() throws RdmaException, InterruptedException {
        return awaitEvent(Deadline.never()).orElseThrow();
    }

    /**
     * Waits for the next event; empty if the time limit expires. {@link Duration#ZERO} does not wait.
     *
     * @throws ClosedWhileWaitingException if the channel is closed during the wait
     * @throws InterruptedException if the thread is interrupted; no event is lost
     */
    public Optional<CmEvent> awaitEvent(Duration timeout) throws RdmaException, InterruptedException {
        return awaitEvent(Deadline.after(timeout));
    }

    /**
     * Like {@link #awaitEvent(Duration)}, until {@code deadline}: for a program that waits several times within one
     * time limit.
     */
    public Optional<CmEvent> awaitEvent(Deadline deadline) throws RdmaException, InterruptedException {
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

    /**
     * Like {@link #awaitEvent()}, but an interrupt does not end the wait, as in C ({@code rdma_get_cm_event(3)}). A
     * thread that was interrupted is still interrupted afterwards. Closing the channel ends the wait.
     */
    public CmEvent awaitEventUninterruptibly() throws RdmaException {
        return uninterruptibly(Deadline.never()).orElseThrow();
    }

    /** Like {@link #awaitEventUninterruptibly()}, with a time limit, which an interrupt does not extend. */
    public Optional<CmEvent> awaitEventUninterruptibly(Duration timeout) throws RdmaException {
        return uninterruptibly(Deadline.after(timeout));
    }

    private Optional<CmEvent> uninterruptibly(Deadline deadline) throws RdmaException {
        return Uninterrupted.await(Long.MAX_VALUE, (now, left) -> awaitEvent(deadline));
    }

    /** Polls; treats a channel that is closed between two waits as closed during a wait. */
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
     * Returns the next event, or empty if there is none. While another thread runs a command of an id or processes one
     * of its events, further events of that id are delayed; events of other ids are not.
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

    /** Returns true if an event that was already read can be delivered now. */
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

    /** Returns true after {@link #close}. */
    public boolean isClosed() {
        return fd.isClosed();
    }

    /** Closes the ids of the channel, newest first, then the channel. Idempotent and callable from any thread. */
    @Override
    public void close() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        events.closeIds(failure);
        fd.close();
        events.closeIds(failure); // ids that were added while others were closed
        failure.throwIfAny();
    }

    @Override
    public String toString() {
        return events.toString();
    }
}
