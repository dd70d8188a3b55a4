// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.provider.QueueTable;
import java.util.function.IntConsumer;

/**
 * The queues of a context by the numbers in completions.
 *
 * @param <Q> the type of the queues
 * @param table the queues
 * @param free receives each number that may be reused
 */
public record QueueNumbers<Q>(QueueTable<Q> table, IntConsumer free) {
    /** Removes {@code queue}, whose completions have been removed: its number may be reused. */
    void remove(int number, Q queue) {
        table.remove(number, queue);
        free.accept(number);
    }
}
