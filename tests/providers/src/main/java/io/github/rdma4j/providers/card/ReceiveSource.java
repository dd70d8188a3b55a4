// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.providers.card.MemoryKey.Segment;
import java.util.List;
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

    /**
     * A posted receive.
     *
     * @param counter what the completion names it by: the receive counter, or the entry of a shared queue
     * @param pieces where the message goes
     */
    record ReceiveElement(int counter, List<Segment> pieces) {}
}
