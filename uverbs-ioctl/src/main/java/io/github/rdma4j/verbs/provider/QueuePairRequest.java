// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.provider;

import io.github.rdma4j.verbs.QpCap;
import io.github.rdma4j.verbs.QueuePairType;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair that is to be made.
 *
 * @param type the transport type
 * @param cap the least capacities; those of the receive queue are 0 with {@code shared}
 * @param signalAll every send completes, whether signaled or not ({@code sq_sig_all})
 * @param sendCq the ring for completions of sends, made by the same context
 * @param receiveCq the ring for completions of receives, made by the same context; may be {@code sendCq}
 * @param shared the shared receive queue, made by the same context; null for a receive queue of its own
 */
public record QueuePairRequest(
        QueuePairType type,
        QpCap cap,
        boolean signalAll,
        CompletionRing sendCq,
        CompletionRing receiveCq,
        @Nullable SharedReceiveRing shared) {}
