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
 * A group that a port is in, or may be in, because of memberships of this program. Requests for a group are sent one at
 * a time, so that a leave cannot overtake a join. If the leave of the last membership is not answered, the group is
 * kept, and the next check leaves it.
 */
final class HeldGroup {
    private final MembershipRegistry registry;
    private final MulticastGroups groups;
    private final ReentrantLock lock = new ReentrantLock();

    /** Written under the lock. */
    private final List<MulticastMembership> holders = new CopyOnWriteArrayList<>();

    /**
     * All states that subnet administration may know: those requested since the port was last known to be outside the
     * group; guarded by the lock.
     */
    private final Set<JoinState> requested = EnumSet.noneOf(JoinState.class);

    /** The request for joining again, with the parameters of a holder if there are any; guarded by the lock. */
    private JoinRequest request;

    /** True if the registry has forgotten this object and creates a new one for the group; guarded by the lock. */
    private boolean forgotten;

    private volatile @Nullable McMemberRecord record;

    /** The memberships that subnet administration does not know and has refused to restore; written under the lock. */
    private final List<MulticastMembership> lost = new CopyOnWriteArrayList<>();

    /** True if subnet administration may have forgotten the membership. */
    private volatile boolean doubtful;

    /** True if subnet administration refused the last leave for a reason other than an unknown membership. */
    private boolean leaveRefused;

    /** The number of the last check of the group if it was not answered, otherwise 0. */
    private volatile long silence;

    HeldGroup(MembershipRegistry registry, MulticastGroups groups, JoinRequest request) {
        this.registry = registry;
        this.groups = groups;
        this.request = request;
    }

    /** Adds a membership; null if the registry has forgotten this object. */
    @Nullable
    MulticastMembership join(JoinRequest wanted) throws RdmaException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (forgotten) {
                return null;
            }
            ask(wanted);
            McMemberRecord.Template parameters =
                    request.parameters().or(wanted::parameters).orElse(null);
            request = request.restoring(wanted.mgid().isZero() ? record().mgid() : wanted.mgid(), parameters);
            if (registry.isClosed()) { // the closing thread may have been interrupted before its leave
                leaveGroup();
                throw MembershipRegistry.closed();
            }
            leaveRefused = false;
            if (!JoinState.ofBits(record().joinState()).containsAll(wantedStates())) {
                doubt(); // subnet administration had forgotten the port, and now knows only the new state
            }
            MulticastMembership membership = new MulticastMembership(this, wanted);
            holders.add(membership);
            return membership;
        } finally {
            lock.unlock();
        }
    }

    private void ask(JoinRequest wanted) throws RdmaException, InterruptedException {
        boolean isNewState = requested.add(wanted.state());
        try {
            record = groups.join(wanted);
        } catch (Throwable e) {
            if (e instanceof RdmaException answer && isRefusal(answer) && !isOfAnotherPort(answer)) {
                if (isNewState) {
                    requested.remove(wanted.state());
                }
                if (requested.isEmpty()) {
                    forget();
                }
            } else {
                doubt(); // if it is the only state that subnet administration knows, it looks like the others
            }
            throw e;
        }
    }

    private Set<JoinState> wantedStates() {
        Set<JoinState> states = EnumSet.noneOf(JoinState.class);
        holders.forEach(holder -> states.add(holder.state()));
        return states;
    }

    private void forget() {
        forgotten = true;
        registry.forget(this);
    }

    /** Records that another object has joined this group with a state. */
    void adopt(JoinState state) {
        lock.lock();
        try {
            requested.add(state);
        } finally {
            lock.unlock();
        }
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
        return holders.contains(membership) && !lost.contains(membership);
    }

    List<MulticastMembership> holders() {
        return List.copyOf(holders);
    }

    void doubt() {
        doubtful = true;
    }

    /** The number of the last check of the group if it was not answered, otherwise 0. */
    long silence() {
        return silence;
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
            lost.remove(membership);
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
     * Like {@link #leaveForGood}, but without waiting for an answer or for a thread that is joining; that thread then
     * finds the registry closed.
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

    /**
     * Leaves with all states.
     *
     * @throws SaException if subnet administration refuses for the first time; the next check tries again. A second
     *     refusal counts as the end of the membership, because nothing else can be done
     */
    private void leaveGroup() throws RdmaException, InterruptedException {
        if (requested.isEmpty()) { // a join was interrupted before its request was sent
            forget();
            return;
        }
        Optional<SaException> refusal = leaveWith(requested);
        if (refusal.isPresent() && requested.size() > 1) {
            // Subnet administration did not know some of the states. States that keep the group alive go last, because
            // the other states end with them.
            List<JoinState> singly = new ArrayList<>(requested);
            singly.sort(Comparator.comparing(JoinState::createsGroup));
            refusal = Optional.empty();
            for (JoinState state : singly) {
                Optional<SaException> ofState = leaveWith(Set.of(state));
                refusal = refusal.isPresent() ? refusal : ofState.filter(e -> !saysNoMember(e));
            }
        }
        refusal = refusal.filter(e -> !saysNoMember(e));
        if (refusal.isPresent() && !leaveRefused) {
            leaveRefused = true;
            throw refusal.get();
        }
        forget();
    }

    /** Empty if subnet administration removed the states. */
    private Optional<SaException> leaveWith(Set<JoinState> states) throws RdmaException, InterruptedException {
        try {
            groups.leave(request.mgid(), groups.portGid(request), states);
            return Optional.empty();
        } catch (SaException e) {
            if (!isRefusal(e)) {
                throw e;
            }
            return Optional.of(e);
        }
    }

    /** True if subnet administration refuses to remove states because it does not know them. */
    private static boolean saysNoMember(SaException refusal) {
        return refusal.status().is(SaStatus.REQUEST_INVALID) || refusal.status().is(SaStatus.NO_RECORDS);
    }

    /**
     * Checks whether subnet administration still knows the membership, and joins again if not.
     *
     * @param number the number of the check
     * @param events receives the events
     * @throws RdmaException if subnet administration could not be queried
     */
    void check(long number, List<Event> events) throws RdmaException, InterruptedException {
        lock.lockInterruptibly();
        silence = number;
        try {
            if (!forgotten) {
                checkKnown(events);
            }
            silence = 0;
        } finally {
            lock.unlock();
        }
    }

    private void checkKnown(List<Event> events) throws RdmaException, InterruptedException {
        try {
            if (holders.isEmpty()) {
                leaveGroup();
                return;
            }
            if (lost.containsAll(holders)) {
                joinAgain(false, null, events); // the answer would only reflect other programs' joins
            } else if (!groups.isMember(request.mgid(), groups.portGid(request))) {
                requested.clear();
                joinAgain(false, null, events);
            } else if (doubtful || !lost.isEmpty()) {
                joinAgain(true, null, events);
            }
        } catch (SaException e) {
            if (!isRefusal(e)) {
                throw e;
            }
            if (!holders.isEmpty()) { // only the query was refused
                joinAgain(true, e, events);
            }
        }
    }

    /**
     * Joins again.
     *
     * @param unknown the refusal to report whether subnet administration knows the membership; null if it did report
     */
    private void joinAgain(boolean known, @Nullable SaException unknown, List<Event> events)
            throws RdmaException, InterruptedException {
        try {
            restore(known, events);
        } catch (RdmaException e) {
            if (!isRefusal(e)) {
                throw e;
            }
            if (unknown != null) {
                e.addSuppressed(unknown);
                failed(e, events);
                return;
            }
            for (MulticastMembership holder : holders) {
                if (!lost.contains(holder)) {
                    lost.add(holder);
                    events.add(new Event(Event.Type.LOST, holder, Optional.empty(), Optional.of(e)));
                }
            }
        }
    }

    private void restore(boolean known, List<Event> events) throws RdmaException, InterruptedException {
        McMemberRecord before = record();
        Set<JoinState> wanted = wantedStates();
        requested.addAll(wanted);
        doubtful = false; // captured now, because the port may change again during the request
        McMemberRecord now;
        try {
            now = groups.join(request, wanted);
        } catch (Throwable e) {
            doubt();
            throw e;
        }
        record = now;
        for (MulticastMembership holder : holders) {
            if (!known || now.mlid() != before.mlid() || lost.contains(holder)) {
                events.add(new Event(Event.Type.REJOINED, holder, Optional.of(before), Optional.empty()));
            }
        }
        lost.clear();
    }

    /** True if subnet administration has refused. A timeout or a BUSY answer is not a refusal. */
    private static boolean isRefusal(RdmaException e) {
        return e instanceof UnsupportedBySubnetManagerException
                || (e instanceof SaException answer
                        && !answer.status().isSuccess()
                        && !answer.status().isBusy());
    }

    /**
     * True if the answer came from a port without subnet administration, such as that of a former manager. An earlier
     * attempt may nevertheless have reached the manager and joined.
     */
    private static boolean isOfAnotherPort(RdmaException e) {
        return e instanceof SaException answer && answer.status().raw() == SaStatus.METHOD_ATTRIBUTE_NOT_SUPPORTED;
    }

    /** Records that {@link #check} failed. */
    void failed(RdmaException cause, List<Event> events) {
        doubt();
        holders.forEach(
                holder -> events.add(new Event(Event.Type.FAILED, holder, Optional.empty(), Optional.of(cause))));
    }
}
