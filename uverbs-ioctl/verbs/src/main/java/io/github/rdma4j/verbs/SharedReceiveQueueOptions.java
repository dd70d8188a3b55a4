// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.verbs.Checks;

/**
 * Options of a new shared receive queue ({@code struct ibv_srq_init_attr}). The queue takes as many receives as were asked for, on every
 * device; a receive may have as many pieces of memory as the device grants, which may be more. Immutable.
 */
public final class SharedReceiveQueueOptions {
    /** 16 work requests of one piece of memory each, and no limit event. */
    public static final SharedReceiveQueueOptions DEFAULT = builder().build();

    private final int maxReceiveWr;
    private final int maxReceiveSge;
    private final int limit;

    private SharedReceiveQueueOptions(Builder builder) {
        maxReceiveWr = builder.maxReceiveWr;
        maxReceiveSge = builder.maxReceiveSge;
        limit = builder.limit;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts with these options. */
    public Builder toBuilder() {
        return new Builder()
                .maxReceiveWr(maxReceiveWr)
                .maxReceiveSge(maxReceiveSge)
                .limit(limit);
    }

    public int maxReceiveWr() {
        return maxReceiveWr;
    }

    public int maxReceiveSge() {
        return maxReceiveSge;
    }

    /** The number of receives below which there is an event; 0 for no event. See {@link Builder#limit}. */
    public int limit() {
        return limit;
    }

    /** Collects options. Mutable; for one thread. */
    public static final class Builder {
        private int maxReceiveWr = 16;
        private int maxReceiveSge = 1;
        private int limit;

        private Builder() {}

        /** Outstanding work requests, 0 or more; 16 unless set. */
        public Builder maxReceiveWr(int requests) {
            maxReceiveWr = Checks.notNegative(requests, "maxReceiveWr");
            return this;
        }

        /** Pieces of memory in one work request, 0 or more; 1 unless set. */
        public Builder maxReceiveSge(int pieces) {
            maxReceiveSge = Checks.notNegative(pieces, "maxReceiveSge");
            return this;
        }

        /**
         * The number of receives below which there is an event, 0 or more; 0, for no event, unless set. {@link
         * SharedReceiveQueue#isLimitReached} recognises the event. The drivers rxe, siw and vmw_pvrdma take the limit with the
         * command that creates the queue; mlx5 ignores it there, and {@code ibv_create_srq(3)} promises nothing. Call {@link
         * SharedReceiveQueue#modifyLimit} after the first receives have been posted to have the event with every driver.
         */
        public Builder limit(int requests) {
            limit = Checks.notNegative(requests, "limit");
            return this;
        }

        public SharedReceiveQueueOptions build() {
            return new SharedReceiveQueueOptions(this);
        }
    }
}
