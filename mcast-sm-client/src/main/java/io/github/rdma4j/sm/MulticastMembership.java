// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import java.util.Optional;

/**
 * A port's membership in a multicast group, from {@link MembershipRegistry#join} until the membership is closed. The
 * registry joins again when the subnet manager has forgotten the membership. Safe for use by several threads.
 *
 * <p>A membership does not concern queue pairs: attach a queue pair that is to receive with {@link
 * io.github.rdma4j.verbs.QueuePair#attachMulticast}, and detach it before you close the membership.
 */
public final class MulticastMembership implements AutoCloseable {
    private final HeldGroup held;
    private final JoinRequest request;

    /**
     * A change of a membership that the program did not request.
     *
     * @param type the kind of change
     * @param membership the membership; {@link MulticastMembership#group()} is the group after the change
     * @param before the group before the change, for REJOINED; empty otherwise
     * @param cause the reason, for LOST and FAILED; empty otherwise
     */
    public record Event(
            Type type, MulticastMembership membership, Optional<McMemberRecord> before, Optional<RdmaException> cause) {
        /** The kinds of changes. */
        public enum Type {
            /**
             * The subnet manager had forgotten the membership, and has restored it. Datagrams sent in between are lost.
             * If the MLID of the group has changed, attach the queue pairs again and create new address handles.
             */
            REJOINED,

            /** The subnet manager has forgotten the membership, and refused to restore it. Every check tries again. */
            LOST,

            /** The subnet manager could not be queried, or refused to answer. The next check tries again. */
            FAILED
        }
    }

    MulticastMembership(HeldGroup held, JoinRequest request) {
        this.held = held;
        this.request = request;
    }

    /** The state with which the port joined. */
    public JoinState state() {
        return request.state();
    }

    /** The request. If subnet administration chose the GID of the group, only {@link #mgid()} has it. */
    public JoinRequest request() {
        return request;
    }

    /** The group's GID. */
    public Gid mgid() {
        return held.record().mgid();
    }

    /** The group's local identifier, which may change with a REJOINED event. */
    public int mlid() {
        return held.record().mlid();
    }

    /**
     * The group, as of the last join. Its join state has all states of the port, including the states of other
     * memberships and other programs.
     */
    public McMemberRecord group() {
        return held.record();
    }

    /** True until the membership is closed, or is known to be lost. */
    public boolean isMember() {
        return held.isMember(this);
    }

    /**
     * The address of the group for datagrams. Send them to {@link io.github.rdma4j.verbs.SendWorkRequest#MULTICAST_QPN}
     * with the group's Q_Key.
     *
     * @param sgidIndex the index of the sender's GID in the table of the port
     */
    public AhAttr ahAttr(LocalPort port, int sgidIndex) {
        McMemberRecord group = held.record();
        return new AhAttr(
                group.mgid(),
                group.flowLabel(),
                sgidIndex,
                group.hopLimit(),
                group.trafficClass(),
                group.mlid(),
                group.sl(),
                0,
                group.rate().code(),
                true,
                port.port());
    }

    /**
     * Leaves the group, unless other memberships of this registry hold it: then the port leaves when the last of them
     * is closed. A second call does nothing. A port that is down is in no group, so nothing is sent for it.
     *
     * @throws RdmaException when subnet administration refused or did not answer, or the thread was interrupted (its
     *     interrupt status is set). The membership is closed nevertheless, and the next check of the registry leaves
     *     the group again
     */
    @Override
    public void close() throws RdmaException {
        held.leave(this);
    }

    @Override
    public String toString() {
        return "MulticastMembership[" + new MulticastGid(mgid()) + ", " + state() + (isMember() ? "" : ", not a member")
                + "]";
    }
}
