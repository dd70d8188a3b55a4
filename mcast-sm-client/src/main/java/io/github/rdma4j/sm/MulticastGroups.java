// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberTemplate;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;
import io.github.rdma4j.verbs.attr.Gid;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The multicast groups of a subnet as subnet administration (SA) knows them. Each method is a single request; this class
 * keeps no state. Use {@link MembershipRegistry} for memberships that must survive a restart of the subnet manager.
 *
 * <p>SA keeps one membership for each port and group, with a set of states, and does not count joins: when two programs of a
 * host, or a program and the kernel, have joined the same group with the same state, the first leave ends both memberships.
 * The kernel counts only its own users (IP over InfiniBand and the connection manager).
 *
 * <p>Safe for use by several threads.
 */
public final class MulticastGroups {
    private final SaClient client;

    /** The groups of the client's subnet; the client's port joins. */
    public MulticastGroups(SaClient client) {
        this.client = client;
    }

    /**
     * Joins a group. If the port is a member already, adds the state to the states of the port.
     *
     * @return the group, with all states of the port
     * @throws SaException when SA refuses, for example since the group does not exist, or is not like the
     *     parameters, or the port is not in its partition
     * @throws UnsupportedBySubnetManagerException for a send-only full member, when SA is known not to have these
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
            throw new IllegalArgumentException("as what to join?");
        }
        if (states.contains(JoinState.SEND_ONLY_FULL_MEMBER)) {
            requireSendOnlyFullMember();
        }
        McMemberTemplate template = member(request.mgid(), portGid(request)).joinState(JoinState.bits(states));
        request.parameters().ifPresent(parameters -> parameters.addTo(template));
        return call(SaRequest.set(template));
    }

    /** SA that does not answer the question may well know them: then the join itself has to show. */
    private void requireSendOnlyFullMember() throws RdmaException, InterruptedException {
        if (supportsSendOnlyFullMember()) {
            return;
        }
        client.subnetManagerChanged(); // what is known may be of one that is no more
        if (!supportsSendOnlyFullMember()) {
            throw new UnsupportedBySubnetManagerException(
                    "joining as a send-only full member requires SM support, otherwise joining will fail: this subnet"
                            + " manager says that it has none (bit 12 of ClassPortInfo:CapabilityMask2 is clear). Join as"
                            + " a full member instead");
        }
    }

    private boolean supportsSendOnlyFullMember() throws RdmaException, InterruptedException {
        return client.classPortInfo()
                .map(ClassPortInfo::supportsSendOnlyFullMember)
                .orElse(true);
    }

    /**
     * Takes states away from the port's membership; without the last one it is no member any more, and without the last
     * full or send-only full member the group is no more.
     *
     * <p>OpenSM 3.3.23 gets one case wrong: when the only full member, which is a send-only full member as well, gives up
     * its full membership, it is taken out completely, and the group stays with nobody in it until OpenSM is restarted. Give
     * up both at once, and join again.
     *
     * @throws SaException when the port is not such a member
     */
    public void leave(Gid mgid, Collection<JoinState> states) throws RdmaException, InterruptedException {
        leave(mgid, ownGid(), states);
    }

    /** The same for a port that another one joined for; OpenSM lets every port of the partition do that. */
    public void leave(Gid mgid, Gid portGid, Collection<JoinState> states) throws RdmaException, InterruptedException {
        if (states.isEmpty()) {
            throw new IllegalArgumentException("which states to leave with?");
        }
        call(leaving(mgid, portGid, states));
    }

    /** The same without waiting for an answer. */
    void leaveUnheard(Gid mgid, Gid portGid, Collection<JoinState> states) {
        client.forgetAnswer(leaving(mgid, portGid, states));
    }

    private static SaRequest<McMemberRecord> leaving(Gid mgid, Gid portGid, Collection<JoinState> states) {
        return SaRequest.delete(member(mgid, portGid).joinState(JoinState.bits(states)));
    }

    /**
     * The port's own membership. Without the SM_Key its states are not shown, only that there are some: see {@link
     * #membership(Gid, long)}.
     */
    public boolean isMember(Gid mgid) throws RdmaException, InterruptedException {
        return isMember(mgid, ownGid());
    }

    /** Whether a port is a member of the group, in whatever state. */
    public boolean isMember(Gid mgid, Gid portGid) throws RdmaException, InterruptedException {
        return find(SaRequest.get(member(mgid, portGid))).isPresent();
    }

    /** The states of the port in a group, none when it is not a member; with the subnet manager's key. */
    public Set<JoinState> membership(Gid mgid, long smKey) throws RdmaException, InterruptedException {
        return membership(mgid, ownGid(), smKey);
    }

    /** The states of any port in a group, none when it is not a member; with the subnet manager's key. */
    public Set<JoinState> membership(Gid mgid, Gid portGid, long smKey) throws RdmaException, InterruptedException {
        return find(SaRequest.get(member(mgid, portGid)).trusted(smKey))
                .map(member -> JoinState.ofBits(member.joinState()))
                .orElse(Set.of());
    }

    /** A group, without its members; empty when it does not exist, or is of a partition that the port is not in. */
    public Optional<McMemberRecord> group(Gid mgid) throws RdmaException, InterruptedException {
        return find(SaRequest.get(McMemberRecord.template().mgid(mgid)));
    }

    /** All groups of the port's partitions, without their members. */
    public List<McMemberRecord> groups() throws RdmaException, InterruptedException {
        return call(SaRequest.getTable(McMemberRecord.template()));
    }

    /** All members of all groups; without the right key as {@link #groups()}. */
    public List<McMemberRecord> members(long smKey) throws RdmaException, InterruptedException {
        return call(SaRequest.getTable(McMemberRecord.template()).trusted(smKey));
    }

    /** All members of one group, none when it does not exist. */
    public List<McMemberRecord> members(Gid mgid, long smKey) throws RdmaException, InterruptedException {
        return call(SaRequest.getTable(McMemberRecord.template().mgid(mgid)).trusted(smKey));
    }

    private <T> T call(SaRequest<T> request) throws RdmaException, InterruptedException {
        return client.call(request);
    }

    private Optional<McMemberRecord> find(SaRequest<McMemberRecord> request)
            throws RdmaException, InterruptedException {
        try {
            return Optional.of(call(request));
        } catch (SaException e) {
            if (e.status().is(SaStatus.NO_RECORDS)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** The port that a request is for. */
    Gid portGid(JoinRequest request) throws RdmaException {
        Optional<Gid> other = request.portGid();
        return other.isPresent() ? other.get() : ownGid();
    }

    private Gid ownGid() throws RdmaException {
        return client.port().gid();
    }

    private static McMemberTemplate member(Gid mgid, Gid portGid) {
        return McMemberRecord.template().mgid(mgid).portGid(portGid);
    }
}
