// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.McMemberRecord.JoinState;
import io.github.rdma4j.verbs.attr.Gid;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request to join a multicast group through subnet administration. Immutable. */
public final class JoinRequest {
    private final Gid mgid;
    private final JoinState state;
    private final McMemberRecord.@Nullable Template parameters;
    private final @Nullable Gid portGid;

    private JoinRequest(
            Gid mgid, JoinState state, McMemberRecord.@Nullable Template parameters, @Nullable Gid portGid) {
        this.mgid = Objects.requireNonNull(mgid, "mgid");
        this.state = Objects.requireNonNull(state, "state");
        this.parameters = parameters;
        this.portGid = portGid;
        if (mgid.isZero() && parameters == null) {
            throw new IllegalArgumentException("a group without a GID is a new group, which needs parameters");
        }
    }

    /**
     * Joins a group that exists.
     *
     * @throws IllegalArgumentException when the GID is zero
     */
    public static JoinRequest of(Gid mgid, JoinState state) {
        return new JoinRequest(mgid, state, null, null);
    }

    /**
     * Joins a group, and creates the group if it does not exist. For a zero GID subnet administration chooses the GID.
     *
     * @param parameters from {@link McMemberRecord#newGroup} or {@link McMemberRecord#likeThis}; copied. If the group
     *     exists with other values, the join is refused
     */
    public static JoinRequest creating(Gid mgid, JoinState state, McMemberRecord.Template parameters) {
        return new JoinRequest(mgid, state, parameters.copy(), null);
    }

    /** Creates a group whose GID subnet administration chooses, and joins it. */
    public static JoinRequest creatingAny(JoinState state, McMemberRecord.Template parameters) {
        return creating(new Gid(0, 0), state, parameters);
    }

    /** This request on behalf of another port, which must be in the same partition. */
    public JoinRequest onBehalfOf(Gid otherPort) {
        return new JoinRequest(mgid, state, parameters, Objects.requireNonNull(otherPort, "otherPort"));
    }

    /** The request that restores a membership in a group whose GID is known. */
    JoinRequest restoring(Gid known, McMemberRecord.@Nullable Template wanted) {
        return new JoinRequest(known, state, wanted, portGid);
    }

    /** The group; zero for a new group whose GID subnet administration chooses. */
    public Gid mgid() {
        return mgid;
    }

    /** The state of the membership. */
    public JoinState state() {
        return state;
    }

    /** A copy of the parameters of a group that need not exist; empty to join an existing group only. */
    public Optional<McMemberRecord.Template> parameters() {
        return Optional.ofNullable(parameters).map(McMemberRecord.Template::copy);
    }

    /** The port that joins; empty for the client's own port. */
    public Optional<Gid> portGid() {
        return Optional.ofNullable(portGid);
    }

    @Override
    public String toString() {
        return "JoinRequest[" + mgid + ", " + state
                + (parameters != null ? ", " + parameters : "")
                + (portGid != null ? ", for " + portGid : "") + "]";
    }
}
