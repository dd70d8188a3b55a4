// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.cm.abi.EventReply;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.KernelFd;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.syscall.Syscalls;
import io.github.rdma4j.verbs.discovery.CmDevice;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes CM ids and delivers their events in the order in which they happened ({@code rdma_create_event_channel(3)}).
 *
 * <p>Retrieving an event also does what belongs to it: after ADDR_RESOLVED the id knows its device, after
 * CONNECT_RESPONSE its queue pair is made ready and the event becomes ESTABLISHED. Several threads may retrieve events;
 * each event goes to one of them. {@link Readiness} waits for several channels at once. Closing the channel closes its
 * ids and wakes the threads that wait.
 *
 * <pre>{@code
 * try (EventChannel channel = EventChannel.open();
 *         CmId id = channel.createId(PortSpace.TCP)) {
 *     id.resolveAddress(new InetSocketAddress("10.77.0.1", 7174), Duration.ofSeconds(2));
 *     try (CmEvent event = channel.awaitEvent()) {
 *         ...
 *     }
 * }
 * }</pre>
 */
public final class EventChannel implements Pollable, AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    /** Never reused within a process, so that an event which comes late finds nobody; 0 the kernel takes for "none". */
    private static final AtomicLong UIDS = new AtomicLong();

    private final Kernel kernel;
    private final KernelFd fd;
    private final RdmaUcm ucm;
    private final Map<Long, CmId> ids = new ConcurrentHashMap<>();

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
        String path = CmDevice.locate(kernel).node().toString();
        KernelFd fd;
        try {
            fd = KernelFd.open(kernel, path, Syscalls.O_RDWR);
        } catch (ErrnoException e) {
            throw new ErrnoException(e.operation(), e.errno(), adviceForOpen(e.errno(), path));
        }
        try {
            fd.setNonBlocking();
        } catch (ErrnoException e) {
            fd.close();
            throw e;
        }
        return new EventChannel(kernel, fd);
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
        long uid = UIDS.incrementAndGet();
        int handle = ucm.createId(uid, portSpace);
        CmId id = CmId.created(this, portSpace, uid, handle);
        ids.put(uid, id);
        if (fd.isClosed()) {
            ids.remove(uid); // the kernel has destroyed it together with the descriptor
            throw new IllegalStateException(this + " is closed");
        }
        return id;
    }

    /**
     * Waits for the next event without limit.
     *
     * @throws io.github.rdma4j.kernel.ClosedWhileWaitingException when the channel was closed meanwhile
     * @throws InterruptedException when the thread was interrupted; no event is lost
     */
    public CmEvent awaitEvent() throws RdmaException, InterruptedException {
        return await(Deadline.after(null)).orElseThrow();
    }

    /**
     * Waits for the next event; empty when the time ran out. {@link Duration#ZERO} asks without waiting.
     *
     * @throws io.github.rdma4j.kernel.ClosedWhileWaitingException when the channel was closed meanwhile
     * @throws InterruptedException when the thread was interrupted; no event is lost
     */
    public Optional<CmEvent> awaitEvent(Duration timeout) throws RdmaException, InterruptedException {
        return await(Deadline.after(timeout));
    }

    private Optional<CmEvent> await(Deadline deadline) throws RdmaException, InterruptedException {
        Optional<CmEvent> event = pollEvent();
        while (event.isEmpty() && fd.awaitReadable(deadline)) {
            event = pollEvent();
        }
        return event;
    }

    /** The next event if there is one. */
    public Optional<CmEvent> pollEvent() throws RdmaException {
        while (true) {
            Optional<EventReply> reply = ucm.getEvent(this::isDatagram);
            if (reply.isEmpty()) {
                return Optional.empty();
            }
            @Nullable CmId id = ids.get(reply.get().uid());
            Optional<CmEvent> event = id == null ? Optional.empty() : id.process(reply.get());
            if (event.isPresent()) {
                return event;
            }
        }
    }

    private boolean isDatagram(long uid) {
        CmId id = ids.get(uid);
        return id != null && id.portSpace().isDatagram();
    }

    /** The id that a connect request has made in the kernel; it gets its uid there when it is accepted. */
    CmId adoptChild(CmId listener, EventReply request) throws RdmaException {
        long uid = UIDS.incrementAndGet();
        CmId child = CmId.requested(this, listener, uid, request);
        ids.put(uid, child);
        return child;
    }

    void forget(long uid) {
        ids.remove(uid);
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
        RdmaException failure = null;
        if (!fd.isClosed()) {
            List<CmId> newestFirst = new ArrayList<>(ids.values());
            newestFirst.sort(Comparator.comparingLong(CmId::uid).reversed());
            for (CmId id : newestFirst) {
                try {
                    id.close();
                } catch (RdmaException e) {
                    failure = suppress(failure, e);
                }
            }
        }
        fd.close();
        if (failure != null) {
            throw failure;
        }
    }

    private static RdmaException suppress(@Nullable RdmaException first, RdmaException next) {
        if (first == null) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }

    @Override
    public String toString() {
        return "EventChannel[" + fd + "]";
    }
}
