// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;

/**
 * A port's membership in a multicast group, from {@link MembershipRegistry#join} until the membership is closed. The registry
 * joins again when the subnet manager has forgotten the membership. Safe for use by several threads.
 *
 * <p>It says nothing about queue pairs: attach one that is to receive with {@link
 * io.github.rdma4j.verbs.QueuePair#attachMulticast}, and detach it before this is closed.
 */
public final class MulticastMembership implements AutoCloseable {
    private final HeldGroup held;
    private final JoinRequest request;

    MulticastMembership(HeldGroup held, JoinRequest request) {
        this.held = held;
        this.request = request;
    }

    /** As which it joined. */
    public JoinState state() {
        return request.state();
    }

    /** What was asked for; a group whose GID was left to subnet administration has it in {@link #mgid()} only. */
    public JoinRequest request() {
        return request;
    }

    /** The group's GID. */
    public Gid mgid() {
        return held.record().mgid();
    }

    /** The group's local identifier; it may be another after a REJOINED event. */
    public int mlid() {
        return held.record().mlid();
    }

    /**
     * The group, as subnet administration described it when the port joined it last. Its join state holds all that the port
     * has there, also by other memberships and other programs.
     */
    public McMemberRecord group() {
        return held.record();
    }

    /** Whether it was not closed yet, and subnet administration is not known to have forgotten it. */
    public boolean isMember() {
        return held.isMember(this);
    }

    /**
     * How to send to the group, to {@link io.github.rdma4j.verbs.SendWorkRequest#MULTICAST_QPN} and with the group's Q_Key.
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
     * Leaves the group, unless other memberships of this registry hold it: then the port stays what it is until the last
     * of them is closed. A second time does nothing. A port that is down is in no group, and subnet administration is not
     * asked.
     *
     * @throws RdmaException when subnet administration did not answer, or the thread was interrupted, which stays marked.
     *     Either way this is closed; the port may stay in the group until the subnet manager drops it
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
