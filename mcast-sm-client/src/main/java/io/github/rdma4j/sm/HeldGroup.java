// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.MulticastMembership.Event;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.sm.mad.SaStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A group that a port is in, or may be in, because of memberships of this program. Requests for a group are made one at
 * a time, so that a leave cannot overtake a join. When the last membership is closed and the leave is not answered, the
 * group is kept, and the next check leaves it.
 */
final class HeldGroup {
    private final MembershipRegistry registry;
    private final MulticastGroups groups;
    private final ReentrantLock lock = new ReentrantLock();

    /** Written under the lock. */
    private final List<MulticastMembership> holders = new CopyOnWriteArrayList<>();

    /** The states that subnet administration may know; guarded by the lock. */
    private final Set<JoinState> requested = EnumSet.noneOf(JoinState.class);

    /** The request that joins again, with parameters if a holder gave some; guarded by the lock. */
    private JoinRequest request;

    /** True when the registry has forgotten this object and makes a new one for the group; guarded by the lock. */
    private boolean forgotten;

    private volatile @Nullable McMemberRecord record;

    /** True when subnet administration does not know the membership, and refused to restore it. */
    private volatile boolean lost;

    /** True when subnet administration may have forgotten the membership. */
    private volatile boolean doubtful;

    HeldGroup(MembershipRegistry registry, MulticastGroups groups, JoinRequest request) {
        this.registry = registry;
        this.groups = groups;
        this.request = request;
    }

    /** Adds a membership; null when the registry has forgotten this object. */
    @Nullable
    MulticastMembership join(JoinRequest wanted) throws RdmaException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (forgotten) {
                return null;
            }
            boolean isNewState = requested.add(wanted.state());
            try {
                record = groups.join(wanted);
            } catch (RdmaException e) {
                if (isRefusal(e)) {
                    refused(wanted.state(), isNewState);
                }
                throw e;
            }
            McMemberRecord.Template parameters =
                    request.parameters().or(wanted::parameters).orElse(null);
            request = request.restoring(record().mgid(), parameters);
            if (registry.isClosed()) { // the closing thread may have been interrupted before it got here
                leaveGroup();
                throw MembershipRegistry.closed();
            }
            if (lost) {
                doubt(); // the states of the other holders are still missing
            }
            MulticastMembership membership = new MulticastMembership(this, wanted);
            holders.add(membership);
            return membership;
        } finally {
            lock.unlock();
        }
    }

    private void refused(JoinState state, boolean isNewState) {
        if (isNewState) {
            requested.remove(state);
        }
        if (requested.isEmpty()) {
            forget();
        }
    }

    private void forget() {
        forgotten = true;
        registry.forget(request, this);
    }

    /** The last record of the group from subnet administration. */
    McMemberRecord record() {
        McMemberRecord known = record;
        if (known == null) {
            throw new IllegalStateException("not joined yet");
        }
        return known;
    }

    boolean isMember(MulticastMembership membership) {
        return !lost && holders.contains(membership);
    }

    List<MulticastMembership> holders() {
        return List.copyOf(holders);
    }

    void doubt() {
        doubtful = true;
    }

    /** Removes a membership; the port leaves the group with the last one. */
    void leave(MulticastMembership membership) throws RdmaException {
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            holders.remove(membership);
            throw interrupted(e);
        }
        try {
            if (holders.remove(membership) && holders.isEmpty() && registry.isPortActive()) {
                leaveGroup();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            lock.unlock();
        }
    }

    private RdmaException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new RdmaException("interrupted while leaving " + request.mgid(), e);
    }

    /** Removes all memberships and leaves the group. Later joins through this object are refused. */
    void leaveForGood() throws RdmaException {
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            holders.clear();
            throw interrupted(e);
        }
        try {
            holders.clear();
            if (!forgotten && !requested.isEmpty() && registry.isPortActive()) {
                leaveGroup();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            forgotten = true;
            lock.unlock();
        }
    }

    /**
     * As {@link #leaveForGood}, without waiting for an answer or for another thread that joins at the moment; that
     * thread then finds the registry closed.
     */
    void leaveWithoutWaiting() throws RdmaException {
        holders.clear();
        if (lock.tryLock()) {
            try {
                if (!forgotten && !requested.isEmpty()) {
                    groups.leaveWithoutWaiting(request.mgid(), groups.portGid(request), requested);
                }
            } finally {
                forgotten = true;
                lock.unlock();
            }
        }
    }

    private void leaveGroup() throws RdmaException, InterruptedException {
        if (!leaveWith(requested)) {
            // Subnet administration never knew some of the states. The states that keep the group go last, because the
            // other
            // states end with them.
            List<JoinState> singly = new ArrayList<>(requested);
            singly.sort(Comparator.comparing(JoinState::createsGroup));
            for (JoinState state : singly) {
                leaveWith(Set.of(state));
            }
        }
        forget();
    }

    /** False when subnet administration does not know the port with all these states. */
    private boolean leaveWith(Set<JoinState> states) throws RdmaException, InterruptedException {
        try {
            groups.leave(request.mgid(), groups.portGid(request), states);
            return true;
        } catch (SaException e) {
            if (!e.status().is(SaStatus.REQUEST_INVALID)) {
                throw e;
            }
            return states.size() == 1;
        }
    }

    /**
     * Asks whether subnet administration still knows the membership, and joins again if not.
     *
     * @param events receives the events
     * @throws RdmaException when subnet administration could not be asked
     */
    void check(List<Event> events) throws RdmaException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (forgotten) {
                return;
            }
            if (holders.isEmpty()) {
                leaveGroup();
                return;
            }
            boolean known = !lost && groups.isMember(request.mgid(), groups.portGid(request));
            if (!known || doubtful) {
                joinAgain(known, events);
            }
        } finally {
            lock.unlock();
        }
    }

    private void joinAgain(boolean known, List<Event> events) throws RdmaException, InterruptedException {
        McMemberRecord before = record();
        Set<JoinState> wanted = EnumSet.noneOf(JoinState.class);
        holders.forEach(holder -> wanted.add(holder.state()));
        McMemberRecord now;
        try {
            now = groups.join(request, wanted);
        } catch (RdmaException e) {
            if (!isRefusal(e)) {
                throw e;
            }
            if (!lost) {
                lost = true;
                add(events, Event.Type.LOST, null, e);
            }
            return;
        }
        record = now;
        lost = false;
        doubtful = false;
        requested.clear();
        requested.addAll(wanted);
        if (!known || now.mlid() != before.mlid()) {
            add(events, Event.Type.REJOINED, before, null);
        }
    }

    /** True when subnet administration answered and refused. A timeout or a BUSY answer is no refusal. */
    private static boolean isRefusal(RdmaException e) {
        return e instanceof UnsupportedBySubnetManagerException
                || (e instanceof SaException answer
                        && !answer.status().isSuccess()
                        && !answer.status().isBusy());
    }

    /** Records that {@link #check} failed. */
    void failed(RdmaException cause, List<Event> events) {
        doubt();
        add(events, Event.Type.FAILED, null, cause);
    }

    private void add(
            List<Event> events, Event.Type type, @Nullable McMemberRecord before, @Nullable RdmaException cause) {
        holders.forEach(
                holder -> events.add(new Event(type, holder, Optional.ofNullable(before), Optional.ofNullable(cause))));
    }
}
