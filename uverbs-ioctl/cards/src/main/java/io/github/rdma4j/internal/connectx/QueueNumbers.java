// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.provider.QueueTable;
import java.util.function.IntConsumer;

/**
 * The queues of a context by the numbers in completions.
 *
 * @param <Q> the type of the queues
 * @param table the queues
 * @param free takes a number that another queue may have from now on
 */
public record QueueNumbers<Q>(QueueTable<Q> table, IntConsumer free) {
    /** Forgets {@code queue}, whose completions were removed: another queue may get its number. */
    void remove(int number, Q queue) {
        table.remove(number, queue);
        free.accept(number);
    }
}
