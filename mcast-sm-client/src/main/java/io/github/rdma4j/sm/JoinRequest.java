// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.verbs.attr.Gid;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request to join a multicast group. Immutable. */
public final class JoinRequest {
    private final Gid mgid;
    private final JoinState state;
    private final @Nullable GroupParameters parameters;
    private final @Nullable Gid portGid;

    private JoinRequest(Gid mgid, JoinState state, @Nullable GroupParameters parameters, @Nullable Gid portGid) {
        this.mgid = Objects.requireNonNull(mgid, "mgid");
        this.state = Objects.requireNonNull(state, "state");
        this.parameters = parameters;
        this.portGid = portGid;
        if (mgid.isZero() && parameters == null) {
            throw new IllegalArgumentException("a group without a GID is a new one, and needs parameters");
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

    /** Joins a group, and creates the group if it does not exist. For a zero GID subnet administration chooses the GID. */
    public static JoinRequest creating(Gid mgid, JoinState state, GroupParameters parameters) {
        return new JoinRequest(mgid, state, Objects.requireNonNull(parameters, "parameters"), null);
    }

    /** Creates a group whose GID subnet administration chooses, and joins it. */
    public static JoinRequest creatingAny(JoinState state, GroupParameters parameters) {
        return creating(new Gid(0, 0), state, parameters);
    }

    /** This request on behalf of another port, which must be in the same partition. */
    public JoinRequest onBehalfOf(Gid otherPort) {
        return new JoinRequest(mgid, state, parameters, Objects.requireNonNull(otherPort, "otherPort"));
    }

    /** The request that keeps a membership in a group whose GID is known now. */
    JoinRequest again(Gid known, @Nullable GroupParameters wanted) {
        return new JoinRequest(known, state, wanted, portGid);
    }

    /** The group; all zero for a new group whose GID subnet administration chooses. */
    public Gid mgid() {
        return mgid;
    }

    /** The state of the membership. */
    public JoinState state() {
        return state;
    }

    /** The parameters of a group that does not exist yet; empty to join an existing group only. */
    public Optional<GroupParameters> parameters() {
        return Optional.ofNullable(parameters);
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
