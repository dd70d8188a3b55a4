// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.verbs.Checks;

/**
 * Options of a new shared receive queue ({@code struct ibv_srq_init_attr}). The queue accepts exactly the requested
 * number of receives on every device. For scatter-gather entries, it accepts what the device grants, which may be more
 * than requested. Immutable.
 */
public final class SharedReceiveQueueOptions {
    /** 16 receives of one scatter-gather entry each, and no limit event. */
    public static final SharedReceiveQueueOptions DEFAULT = builder().build();

    private final int maxReceiveWr;
    private final int maxReceiveSge;
    private final int limit;

    private SharedReceiveQueueOptions(Builder builder) {
        maxReceiveWr = builder.maxReceiveWr;
        maxReceiveSge = builder.maxReceiveSge;
        limit = builder.limit;
    }

    /** Returns a builder with the default options. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns a builder that starts with these options. */
    public Builder toBuilder() {
        return new Builder()
                .maxReceiveWr(maxReceiveWr)
                .maxReceiveSge(maxReceiveSge)
                .limit(limit);
    }

    /** Returns the maximum number of outstanding receives. */
    public int maxReceiveWr() {
        return maxReceiveWr;
    }

    /** Returns the maximum number of scatter-gather entries in a receive. */
    public int maxReceiveSge() {
        return maxReceiveSge;
    }

    /** Returns the number of receives below which there is an event; 0 for no event. See {@link Builder#limit}. */
    public int limit() {
        return limit;
    }

    /** A builder of options. Mutable; for use by one thread. */
    public static final class Builder {
        private int maxReceiveWr = 16;
        private int maxReceiveSge = 1;
        private int limit;

        private Builder() {}

        /** Sets the maximum number of outstanding receives, 0 or more; 16 by default. */
        public Builder maxReceiveWr(int requests) {
            maxReceiveWr = Checks.notNegative(requests, "maxReceiveWr");
            return this;
        }

        /** Sets the maximum number of scatter-gather entries in a receive, 0 or more; 1 by default. */
        public Builder maxReceiveSge(int entries) {
            maxReceiveSge = Checks.notNegative(entries, "maxReceiveSge");
            return this;
        }

        /**
         * Sets the number of receives below which there is an event, 0 or more; 0 by default, for no event.
         * {@link SharedReceiveQueue#isLimitReached} recognises the event. The drivers rxe, siw and vmw_pvrdma accept
         * the limit in the command that creates the queue. mlx4 and mlx5 ignore it there, and {@code ibv_create_srq(3)}
         * does not guarantee it. To get the event with every driver, call {@link SharedReceiveQueue#modifyLimit} after
         * the first receives have been posted.
         */
        public Builder limit(int requests) {
            limit = Checks.notNegative(requests, "limit");
            return this;
        }

        /** Returns the options. */
        public SharedReceiveQueueOptions build() {
            return new SharedReceiveQueueOptions(this);
        }
    }
}
