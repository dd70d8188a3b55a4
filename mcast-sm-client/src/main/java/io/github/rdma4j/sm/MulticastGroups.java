// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;
import io.github.rdma4j.verbs.attr.Gid;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Requests about the multicast groups of an InfiniBand subnet to subnet administration (SA). Each method is a single
 * request; this class keeps no state. Use {@link MembershipRegistry} for memberships that must survive a restart of the
 * subnet manager, and {@code CmMulticast} of the connection manager for groups on RoCE or with an IP address.
 *
 * <p>SA keeps one membership for each port and group, with a set of states, and does not count joins: when two programs
 * of a host, or a program and the kernel, have joined the same group with the same state, the first leave ends both
 * memberships. The kernel counts only its own users (IP over InfiniBand and the connection manager).
 *
 * <p>Safe for use by several threads.
 */
public final class MulticastGroups {
    private final SaClient client;

    /** Sends the requests through a client; the client's port joins. */
    public MulticastGroups(SaClient client) {
        this.client = client;
    }

    /**
     * Joins a group. If the port is a member already, adds the state to the states of the port.
     *
     * @return the group, with all states of the port
     * @throws SaException when SA refuses, for example because the group does not exist, has other parameters, or
     *     belongs to a partition that the port is not in
     * @throws UnsupportedBySubnetManagerException for a send-only full member, when SA has declared no support for it
     */
    public McMemberRecord join(JoinRequest request) throws RdmaException, InterruptedException {
        return join(request, Set.of(request.state()));
    }

    /**
     * Joins a group with several states at once, which replace the state of the request.
     *
     * @param states at least one
     */
    public McMemberRecord join(JoinRequest request, Collection<JoinState> states)
            throws RdmaException, InterruptedException {
        if (states.isEmpty()) {
            throw new IllegalArgumentException("a join needs at least one state");
        }
        if (states.contains(JoinState.SEND_ONLY_FULL_MEMBER)) {
            requireSendOnlyFullMember();
        }
        McMemberRecord.Template template = request.parameters().orElseGet(McMemberRecord::template);
        return client.call(SaRequest.set(
                template.mgid(request.mgid()).portGid(portGid(request)).joinState(JoinState.bits(states))));
    }

    /**
     * Requires support for the state. If SA does not answer the query, it may still support the state; the join then
     * decides.
     */
    private void requireSendOnlyFullMember() throws RdmaException, InterruptedException {
        if (supportsSendOnlyFullMember()) {
            return;
        }
        client.subnetManagerChanged(); // the known capabilities may be of a former subnet manager
        if (!supportsSendOnlyFullMember()) {
            throw new UnsupportedBySubnetManagerException(
                    "this subnet manager does not support send-only full members (bit 12 of"
                            + " ClassPortInfo:CapabilityMask2 is clear). Join as a full member instead");
        }
    }

    private boolean supportsSendOnlyFullMember() throws RdmaException, InterruptedException {
        return client.classPortInfo()
                .map(ClassPortInfo::supportsSendOnlyFullMember)
                .orElse(true);
    }

    /**
     * Removes states from the port's membership. Removing the last state ends the membership; when the last full or
     * send-only full member leaves, the group is deleted.
     *
     * <p>OpenSM 3.3.23 handles one case wrong: when the only full member, which is also a send-only full member, leaves
     * as a full member, OpenSM ends its membership completely and keeps the empty group until OpenSM is restarted.
     * Leave with both states at once, and join again.
     *
     * @throws SaException when the port does not have these states
     */
    public void leave(Gid mgid, Collection<JoinState> states) throws RdmaException, InterruptedException {
        leave(mgid, ownGid(), states);
    }

    /** Like {@link #leave(Gid, Collection)}, for another port. OpenSM permits that to every port of the partition. */
    public void leave(Gid mgid, Gid portGid, Collection<JoinState> states) throws RdmaException, InterruptedException {
        if (states.isEmpty()) {
            throw new IllegalArgumentException("a leave needs at least one state");
        }
        client.call(leaving(mgid, portGid, states));
    }

    /** Like {@link #leave(Gid, Gid, Collection)}, without waiting for an answer. */
    void leaveWithoutWaiting(Gid mgid, Gid portGid, Collection<JoinState> states) {
        client.sendOnly(leaving(mgid, portGid, states));
    }

    private static SaRequest<McMemberRecord> leaving(Gid mgid, Gid portGid, Collection<JoinState> states) {
        return SaRequest.delete(member(mgid, portGid).joinState(JoinState.bits(states)));
    }

    /**
     * True when the client's port is a member of the group, in any state. SA shows the states only to requests with the
     * SM_Key: see {@link #membership(Gid, long)}.
     */
    public boolean isMember(Gid mgid) throws RdmaException, InterruptedException {
        return isMember(mgid, ownGid());
    }

    /** True when a port is a member of the group, in any state. */
    public boolean isMember(Gid mgid, Gid portGid) throws RdmaException, InterruptedException {
        return find(SaRequest.get(member(mgid, portGid))).isPresent();
    }

    /** The states of the client's port in a group, none when it is not a member. Requires the subnet manager's key. */
    public Set<JoinState> membership(Gid mgid, long smKey) throws RdmaException, InterruptedException {
        return membership(mgid, ownGid(), smKey);
    }

    /** The states of any port in a group, none when it is not a member. Requires the subnet manager's key. */
    public Set<JoinState> membership(Gid mgid, Gid portGid, long smKey) throws RdmaException, InterruptedException {
        return find(SaRequest.get(member(mgid, portGid)).trusted(smKey))
                .map(member -> JoinState.ofBits(member.joinState()))
                .orElse(Set.of());
    }

    /** A group, without its members; empty when it does not exist or belongs to a partition that the port is not in. */
    public Optional<McMemberRecord> group(Gid mgid) throws RdmaException, InterruptedException {
        return find(SaRequest.get(McMemberRecord.template().mgid(mgid)));
    }

    /** All groups of the port's partitions, without their members. */
    public List<McMemberRecord> groups() throws RdmaException, InterruptedException {
        return client.call(SaRequest.getTable(McMemberRecord.template()));
    }

    /** All members of all groups. With a wrong key, the same as {@link #groups()}. */
    public List<McMemberRecord> members(long smKey) throws RdmaException, InterruptedException {
        return client.call(SaRequest.getTable(McMemberRecord.template()).trusted(smKey));
    }

    /** All members of a group, none when it does not exist. */
    public List<McMemberRecord> members(Gid mgid, long smKey) throws RdmaException, InterruptedException {
        return client.call(
                SaRequest.getTable(McMemberRecord.template().mgid(mgid)).trusted(smKey));
    }

    private Optional<McMemberRecord> find(SaRequest<McMemberRecord> request)
            throws RdmaException, InterruptedException {
        try {
            return Optional.of(client.call(request));
        } catch (SaException e) {
            if (e.status().is(SaStatus.NO_RECORDS)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** The port that a request concerns. */
    Gid portGid(JoinRequest request) throws RdmaException {
        Optional<Gid> other = request.portGid();
        return other.isPresent() ? other.get() : ownGid();
    }

    private Gid ownGid() throws RdmaException {
        return client.port().gid();
    }

    private static McMemberRecord.Template member(Gid mgid, Gid portGid) {
        return McMemberRecord.template().mgid(mgid).portGid(portGid);
    }
}
