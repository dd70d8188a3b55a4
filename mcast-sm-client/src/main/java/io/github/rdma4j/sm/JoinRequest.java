// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.verbs.Gid;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to join a multicast group.
 *
 * @param mgid the group; all zero, with parameters: a new one, whose MGID subnet administration chooses
 * @param state the state of the membership
 * @param parameters the parameters of a group that does not exist yet; null to join an existing group only
 * @param portGid the port that joins, which must be in the same partition; null for the client's own port
 */
public record JoinRequest(
        Gid mgid,
        JoinState state,
        @Nullable GroupParameters parameters,
        @Nullable Gid portGid) {
    /** Throws {@link IllegalArgumentException} when there is neither an MGID nor parameters for a new group. */
    public JoinRequest {
        Objects.requireNonNull(mgid, "mgid");
        Objects.requireNonNull(state, "state");
        if (mgid.isZero() && parameters == null) {
            throw new IllegalArgumentException("a group without a GID is a new one, and needs parameters");
        }
    }

    /** Joins a group that exists. */
    public static JoinRequest of(Gid mgid, JoinState state) {
        return new JoinRequest(mgid, state, null, null);
    }

    /** Joins a group, and creates it if it does not exist. */
    public static JoinRequest creating(Gid mgid, JoinState state, GroupParameters parameters) {
        return new JoinRequest(mgid, state, parameters, null);
    }

    /** Creates a group whose GID subnet administration chooses, and joins it. */
    public static JoinRequest creatingAny(JoinState state, GroupParameters parameters) {
        return new JoinRequest(new Gid(0, 0), state, parameters, null);
    }

    /** This request on behalf of another port. */
    public JoinRequest onBehalfOf(Gid otherPort) {
        return new JoinRequest(mgid, state, parameters, otherPort);
    }
}
