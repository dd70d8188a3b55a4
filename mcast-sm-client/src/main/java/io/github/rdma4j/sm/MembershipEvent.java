// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.McMemberRecord;
import java.util.Optional;

/**
 * A change of a membership that the program did not ask for.
 *
 * @param type what happened
 * @param membership the membership; {@link MulticastMembership#group()} is the group as it is now
 * @param before the group as it was, for REJOINED; empty otherwise
 * @param cause the reason, for LOST and FAILED; empty otherwise
 */
public record MembershipEvent(
        Type type, MulticastMembership membership, Optional<McMemberRecord> before, Optional<RdmaException> cause) {
    /** What can happen. */
    public enum Type {
        /**
         * The subnet manager did not know the membership any more, and now does again; datagrams in between are lost. The
         * group may have another MLID than before: then queue pairs have to be attached again, and address handles made
         * anew.
         */
        REJOINED,

        /** The subnet manager does not know the membership any more, and refused to join again; tried at every check. */
        LOST,

        /** The subnet manager could not be asked; tried again at the next check. */
        FAILED
    }
}
