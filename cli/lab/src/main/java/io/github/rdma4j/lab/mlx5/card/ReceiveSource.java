// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.card;

import org.jspecify.annotations.Nullable;

/** Where a queue pair's receives come from: its own ring or a shared one. */
interface ReceiveSource {
    /** The oldest receive that is posted, which is now used; null when there is none. */
    @Nullable
    ReceiveElement take();

    /** Whether {@link #take} would return one. */
    boolean isEmpty();

    /** Forgets everything: the queue pair was reset. */
    void reset();
}
