// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.MulticastMembership.Event;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.Gid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the multicast memberships of one InfiniBand port. A subnet manager forgets memberships when it is restarted or
 * when another subnet manager takes over, and drops memberships when the port's link is lost; the registry joins again
 * and informs its listeners.
 *
 * <p>The kernel does not report such changes to users of {@code umad}. There are three ways to notice a change:
 *
 * <ul>
 *   <li>{@link #asyncEvent} with the events of the device ({@code IBV_EVENT_CLIENT_REREGISTER} and others), or {@link
 *       #portChanged} when the program learns of the change in another way;
 *   <li>{@link #checkEvery}, which asks subnet administration periodically, and also notices a change of the port's
 *       LID, of its state or of the subnet manager's LID;
 *   <li>{@link #check}, which does the same at once.
 * </ul>
 *
 * <p>The registry counts its memberships of each group: the port leaves the group when the last membership is closed.
 * Memberships of other programs are not counted; see {@link MulticastGroups}.
 *
 * <p>On RoCE, and for groups with an IP address, use {@code CmMulticast} of the connection manager instead, which also
 * attaches the queue pair of an id.
 *
 * <p>Safe for use by several threads.
 *
 * <pre>{@code
 * try (MembershipRegistry registry = new MembershipRegistry(client, executor)) {
 *     registry.addListener(event -> log(event));
 *     registry.checkEvery(scheduler, Duration.ofSeconds(30));
 *     MulticastMembership membership = registry.join(JoinRequest.of(mgid, JoinState.FULL_MEMBER));
 * }
 * }</pre>
 */
public final class MembershipRegistry implements AutoCloseable {
    /** The events after which the subnet manager may have forgotten the port. */
    private static final Set<AsyncEventType> PORT_EVENTS = EnumSet.of(
            AsyncEventType.PORT_ACTIVE,
            AsyncEventType.LID_CHANGE,
            AsyncEventType.PKEY_CHANGE,
            AsyncEventType.SM_CHANGE,
            AsyncEventType.CLIENT_REREGISTER,
            AsyncEventType.GID_CHANGE);

    private final SaClient client;
    private final MulticastGroups groups;
    private final Executor executor;
    private final Map<Key, HeldGroup> held = new ConcurrentHashMap<>();

    /** Groups that are being joined and whose GID is not known yet. */
    private final Set<HeldGroup> nameless = ConcurrentHashMap.newKeySet();

    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final List<ScheduledFuture<?>> schedules = new CopyOnWriteArrayList<>();

    /** Serializes the checks, so that listeners receive the events in order. */
    private final ReentrantLock checking = new ReentrantLock();

    private final AtomicBoolean checkIsDue = new AtomicBoolean();

    /** The number of checks that have begun; guarded by {@code checking}. */
    private long checks;

    /** The port at the time of the last check; guarded by {@code checking}. */
    private @Nullable LocalPort lastPort;

    private volatile boolean closed;

    /**
     * Identifies a membership.
     *
     * @param portGid the GID of the member port; empty for the client's own port, even if a request specifies it
     * @param mgid the group
     */
    private record Key(Optional<Gid> portGid, Gid mgid) {}

    private Key key(JoinRequest request, Gid mgid) throws RdmaException {
        Gid own = client.port().gid();
        return new Key(request.portGid().filter(gid -> !gid.equals(own)), mgid);
    }

    /** Receives the events of the memberships of a registry. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Called on the thread that noticed the change, one event at a time for each membership. May use the registry.
         * An exception goes to the thread's handler of uncaught exceptions. No other membership is checked until this
         * returns.
         */
        void onEvent(Event event);
    }

    /**
     * Creates a registry without memberships. When the client ends because its port has failed, the listeners receive
     * FAILED.
     *
     * @param client joins with its port; it stays open when the registry is closed
     * @param executor runs the checks after {@link #portChanged}; a check may block for as long as a request takes
     */
    public MembershipRegistry(SaClient client, Executor executor) {
        this.client = client;
        this.executor = executor;
        this.groups = new MulticastGroups(client);
        CompletableFuture<?> unused = client.ended().whenComplete((normally, failure) -> {
            if (failure != null) {
                checkSoon();
            }
        });
    }

    /**
     * Joins a group until the membership is closed. If no answer arrives, the port may be in the group nevertheless;
     * the next check then leaves the group.
     *
     * @throws SaException as {@link MulticastGroups#join}
     * @throws UnsupportedBySubnetManagerException as {@link MulticastGroups#join}
     */
    public MulticastMembership join(JoinRequest request) throws RdmaException, InterruptedException {
        ensureOpen();
        if (request.mgid().isZero()) {
            return joinNew(request);
        }
        while (true) {
            HeldGroup group =
                    held.computeIfAbsent(key(request, request.mgid()), key -> new HeldGroup(this, groups, request));
            ensureOpen(); // the group is in the map: a later close() finds it and waits for the join
            MulticastMembership membership = group.join(request);
            if (membership != null) {
                return membership;
            }
        }
    }

    /** Joins a new group, which no other thread knows yet. */
    private MulticastMembership joinNew(JoinRequest request) throws RdmaException, InterruptedException {
        HeldGroup group = new HeldGroup(this, groups, request);
        nameless.add(group);
        try {
            ensureOpen();
            MulticastMembership membership = group.join(request);
            if (membership == null) {
                throw closed(); // only close() can have left the group
            }
            HeldGroup present = held.putIfAbsent(key(request, membership.mgid()), group);
            if (present == null) {
                return membership;
            }
            // a restarted subnet administration has forgotten the group and chosen its GID again
            present.adopt(request.state());
            return join(
                    request.restoring(membership.mgid(), request.parameters().orElse(null)));
        } finally {
            nameless.remove(group);
        }
    }

    private void ensureOpen() {
        if (closed) {
            throw closed();
        }
    }

    static IllegalStateException closed() {
        return new IllegalStateException("the registry is closed");
    }

    boolean isClosed() {
        return closed;
    }

    void forget(HeldGroup group) {
        held.values().remove(group); // not by key, because the GID of the port may have changed
    }

    boolean isPortActive() throws RdmaException {
        return client.readPort().isActive();
    }

    /** The open memberships. */
    public List<MulticastMembership> memberships() {
        return held.values().stream().flatMap(group -> group.holders().stream()).toList();
    }

    /** Adds a listener for events of all memberships of the registry. */
    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    /** Removes a listener. A call of the listener that is in progress continues. */
    public void removeListener(Listener listener) {
        listeners.remove(listener);
    }

    /**
     * Reports that the subnet manager may have forgotten the port; the executor joins all groups again.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the executor refuses; the next check joins again
     */
    public void portChanged() {
        client.subnetManagerChanged();
        held.values().forEach(HeldGroup::doubt);
        checkSoon();
    }

    private void checkSoon() {
        if (closed || !checkIsDue.compareAndSet(false, true)) {
            return;
        }
        try {
            executor.execute(this::checkQuietly);
        } catch (Throwable refused) {
            checkIsDue.set(false);
            throw refused;
        }
    }

    /**
     * Handles an event of the port's device: calls {@link #portChanged} if the subnet manager may have forgotten the
     * port.
     *
     * @param event from {@link io.github.rdma4j.verbs.DeviceContext}
     */
    public void asyncEvent(AsyncEvent event) throws RdmaException {
        if (PORT_EVENTS.contains(event.type())
                && event.element() == client.port().port()) {
            portChanged();
        }
    }

    /**
     * Checks periodically until the registry is closed.
     *
     * @param scheduler runs the checks; a check may block its thread for as long as a request takes
     * @param interval from the end of one check to the beginning of the next
     */
    public void checkEvery(ScheduledExecutorService scheduler, Duration interval) {
        schedules.add(scheduler.scheduleWithFixedDelay(
                this::checkQuietly, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS));
        if (closed) {
            cancelSchedules();
        }
    }

    private void cancelSchedules() {
        schedules.forEach(schedule -> schedule.cancel(false));
    }

    private void checkQuietly() {
        checkIsDue.set(false);
        try {
            check();
        } catch (RdmaException e) {
            // the listeners were informed; the next check tries again
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            report(e); // a thrown exception would make the scheduler stop checking
        }
    }

    /**
     * Checks every membership with subnet administration, and joins again if the membership is unknown. If the port has
     * changed since the last check, joins all groups again. Does nothing while the port is down or has no subnet
     * manager. Repeats leaves that failed. A refusal concerns only its group; a leave that is refused twice is not
     * repeated.
     *
     * @throws RdmaException if subnet administration cannot be queried; the next check joins the remaining groups
     *     again, and begins with groups whose query succeeded
     */
    public void check() throws RdmaException, InterruptedException {
        checking.lockInterruptibly();
        try {
            if (!closed && isPortReady()) {
                checkAll();
            }
        } finally {
            checking.unlock();
        }
    }

    private boolean isPortReady() throws RdmaException {
        LocalPort before = lastPort;
        LocalPort now = readPort();
        lastPort = now;
        if (before != null && !before.equals(now)) {
            held.values().forEach(HeldGroup::doubt);
        }
        return now.isActive() && now.smLid() != 0;
    }

    private LocalPort readPort() throws RdmaException {
        try {
            return client.readPort();
        } catch (RdmaException e) {
            List<Event> events = new ArrayList<>();
            held.values().forEach(group -> group.failed(e, events));
            events.forEach(this::deliver);
            throw e;
        }
    }

    /**
     * Checks all groups. A missing answer ends the check; the group that was not answered last is then checked last, so
     * that it does not block the others for ever.
     */
    private void checkAll() throws RdmaException, InterruptedException {
        checks++;
        Iterator<HeldGroup> remaining = held.values().stream()
                .sorted(Comparator.comparingLong(HeldGroup::silence))
                .toList()
                .iterator();
        while (remaining.hasNext()) {
            HeldGroup group = remaining.next();
            List<Event> events = new ArrayList<>();
            try {
                group.check(checks, events);
            } catch (RdmaException e) {
                group.failed(e, events);
                remaining.forEachRemaining(other -> other.failed(e, events));
                throw e;
            } finally {
                events.forEach(this::deliver);
            }
        }
    }

    private void deliver(Event event) {
        for (Listener listener : listeners) {
            try {
                listener.onEvent(event);
            } catch (RuntimeException | Error e) {
                report(e); // a failing listener must not end the other memberships
            }
        }
    }

    /** Gives an exception to the thread's handler of uncaught exceptions. */
    private static void report(Throwable thrown) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    }

    /**
     * Leaves all groups, including groups that another thread is joining; that join then throws {@link
     * IllegalStateException}. A second call does nothing. If subnet administration does not answer a leave, or the
     * thread is interrupted, the remaining leaves are sent without waiting for their answers.
     *
     * @throws RdmaException the first failure; all memberships are closed nevertheless
     */
    @Override
    public void close() throws RdmaException {
        closed = true;
        cancelSchedules();
        Set<HeldGroup> all = new HashSet<>(nameless); // first, because a group is held before it stops being nameless
        all.addAll(held.values());
        FirstFailure failure = new FirstFailure();
        boolean answers = true;
        for (HeldGroup group : all) {
            if (answers && Thread.currentThread().isInterrupted()) {
                answers = false;
                failure.add(new RdmaException(
                        "interrupted; the remaining leaves were sent without waiting for their answers"));
            }
            try {
                if (answers) {
                    group.leaveForGood();
                } else {
                    group.leaveWithoutWaiting();
                }
            } catch (RdmaException | RuntimeException | Error e) {
                failure.add(e);
                answers &= !(e instanceof SaTimeoutException);
            }
        }
        failure.throwIfAny();
    }
}
