// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The state of a port's membership in a multicast group ({@code MCMemberRecord:JoinState}, four bits). A port has a set of
 * states for each group; a join adds states to the set, and a leave removes states.
 */
public enum JoinState {
    /** Sends and receives. The group exists as long as there is one such member, or a send-only one. */
    FULL_MEMBER(1),

    /** Sends and receives, but can neither create the group nor keep it. */
    NON_MEMBER(2),

    /** Sends only, and can neither create the group nor keep it. */
    SEND_ONLY_NON_MEMBER(4),

    /** Sends only; creates and keeps the group as a full member does. Not every subnet manager knows it. */
    SEND_ONLY_FULL_MEMBER(8);

    private static final int ALL = 0xf;

    private final int bit;

    JoinState(int bit) {
        this.bit = bit;
    }

    /** The bit of the field. */
    public int bit() {
        return bit;
    }

    /** True when a join with this state may create the group, and the membership keeps the group alive. */
    public boolean createsGroup() {
        return this == FULL_MEMBER || this == SEND_ONLY_FULL_MEMBER;
    }

    /** The field for a set of states. */
    public static int bits(Collection<JoinState> states) {
        return states.stream().mapToInt(JoinState::bit).reduce(0, (left, right) -> left | right);
    }

    /** The states of a field; throws {@link IllegalArgumentException} when it has more than four bits. */
    public static Set<JoinState> ofBits(int bits) {
        if ((bits & ~ALL) != 0) {
            throw new IllegalArgumentException("a join state has four bits, not 0x" + Integer.toHexString(bits));
        }
        EnumSet<JoinState> states = EnumSet.noneOf(JoinState.class);
        for (JoinState state : values()) {
            if ((bits & state.bit) != 0) {
                states.add(state);
            }
        }
        return Collections.unmodifiableSet(states);
    }
}
