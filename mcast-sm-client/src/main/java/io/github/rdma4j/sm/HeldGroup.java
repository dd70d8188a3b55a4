// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.McMemberRecord;
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
 * A group that a port is in, or may be in, because of memberships of this program. One request at a time is made for it, so
 * that a leave does not overtake a join. When the last membership is closed and the leave is not answered, this stays to
 * be left later.
 */
final class HeldGroup {
    private final MembershipRegistry registry;
    private final MulticastGroups groups;
    private final ReentrantLock lock = new ReentrantLock();

    /** Written under the lock. */
    private final List<MulticastMembership> holders = new CopyOnWriteArrayList<>();

    /** What subnet administration may have heard; guarded by the lock. */
    private final Set<JoinState> told = EnumSet.noneOf(JoinState.class);

    /** What joins again: with parameters if anybody gave some. Guarded by the lock. */
    private JoinRequest request;

    /** Nobody may use this any more, another one is made for the group; guarded by the lock. */
    private boolean forgotten;

    private volatile @Nullable McMemberRecord record;

    /** Subnet administration does not know the membership any more, and would not have it back. */
    private volatile boolean lost;

    /** Subnet administration may have forgotten it. */
    private volatile boolean doubtful;

    HeldGroup(MembershipRegistry registry, MulticastGroups groups, JoinRequest request) {
        this.registry = registry;
        this.groups = groups;
        this.request = request;
    }

    /** One membership more; null when this was forgotten meanwhile. */
    @Nullable
    MulticastMembership join(JoinRequest wanted) throws RdmaException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (forgotten) {
                return null;
            }
            boolean news = told.add(wanted.state());
            try {
                record = groups.join(wanted);
            } catch (RdmaException e) {
                if (isRefusal(e)) {
                    refused(wanted.state(), news);
                }
                throw e;
            }
            keepParameters(wanted);
            if (registry.isClosed()) { // and did not find this: it may have been interrupted
                leaveGroup();
                throw MembershipRegistry.closed();
            }
            if (lost) {
                doubt(); // the states of the others are still missing
            }
            MulticastMembership membership = new MulticastMembership(this, wanted);
            holders.add(membership);
            return membership;
        } finally {
            lock.unlock();
        }
    }

    private void refused(JoinState state, boolean news) {
        if (news) {
            told.remove(state);
        }
        if (told.isEmpty()) {
            forget();
        }
    }

    private void keepParameters(JoinRequest wanted) {
        GroupParameters parameters = request.parameters().or(wanted::parameters).orElse(null);
        request = request.again(record().mgid(), parameters);
    }

    private void forget() {
        forgotten = true;
        registry.forget(request, this);
    }

    /** The group as subnet administration described it last. */
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

    /** One membership less, and with the last one the port leaves the group. */
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
        return new RdmaException("interrupted while it left " + request.mgid(), e);
    }

    /** Whoever holds it: the port leaves the group, and cannot join it through this any more. */
    void leaveForGood() throws RdmaException {
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            holders.clear();
            throw interrupted(e);
        }
        try {
            holders.clear();
            if (!forgotten && !told.isEmpty() && registry.isPortActive()) {
                leaveGroup();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        } finally {
            forgotten = true;
            lock.unlock();
        }
    }

    /** The same without waiting for an answer, or for whoever is joining just now and then finds the registry closed. */
    void leaveUnheard() throws RdmaException {
        holders.clear();
        if (lock.tryLock()) {
            try {
                if (!forgotten && !told.isEmpty()) {
                    groups.leaveUnheard(request.mgid(), groups.portGid(request), told);
                }
            } finally {
                forgotten = true;
                lock.unlock();
            }
        }
    }

    private void leaveGroup() throws RdmaException, InterruptedException {
        if (!leaveWith(told)) {
            // Some of them were never heard of there. Those that keep the group go last, for the others go with them.
            List<JoinState> singly = new ArrayList<>(told);
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
     * Looks whether subnet administration still knows the membership, and joins again if not.
     *
     * @param events what happened is added here
     * @throws RdmaException when it could not be asked
     */
    void check(List<MembershipEvent> events) throws RdmaException, InterruptedException {
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

    private void joinAgain(boolean known, List<MembershipEvent> events) throws RdmaException, InterruptedException {
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
            refused(e, events);
            return;
        }
        record = now;
        lost = false;
        doubtful = false;
        told.clear();
        told.addAll(wanted);
        if (!known || now.mlid() != before.mlid()) {
            holders.forEach(holder -> events.add(
                    new MembershipEvent(MembershipEvent.Type.REJOINED, holder, Optional.of(before), Optional.empty())));
        }
    }

    private void refused(RdmaException cause, List<MembershipEvent> events) {
        if (!lost) {
            lost = true;
            holders.forEach(holder -> events.add(
                    new MembershipEvent(MembershipEvent.Type.LOST, holder, Optional.empty(), Optional.of(cause))));
        }
    }

    /** Whether this is an answer, and so a decision; silence and lack of time are none. */
    private static boolean isRefusal(RdmaException e) {
        return e instanceof UnsupportedBySubnetManagerException
                || (e instanceof SaException answer
                        && !answer.status().isSuccess()
                        && !answer.status().isBusy());
    }

    /** What {@link #check} could not find out. */
    void failed(RdmaException cause, List<MembershipEvent> events) {
        doubt();
        holders.forEach(holder -> events.add(
                new MembershipEvent(MembershipEvent.Type.FAILED, holder, Optional.empty(), Optional.of(cause))));
    }
}
