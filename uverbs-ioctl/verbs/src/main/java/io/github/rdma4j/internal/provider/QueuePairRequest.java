// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import org.jspecify.annotations.Nullable;

/**
 * A queue pair that is to be made.
 *
 * @param type the transport type
 * @param cap the least capacities; those of the receive queue are 0 with {@code shared} and for XRC
 * @param signalAll every send completes, whether signaled or not ({@code sq_sig_all})
 * @param sendCq the ring for completions of sends, made by the same context
 * @param receiveCq the ring for completions of receives, made by the same context; may be {@code sendCq};
 *     null for an initiator of XRC, which receives nothing
 * @param shared the shared receive queue, made by the same context; null for a receive queue of its own
 */
public record QueuePairRequest(
        QueuePairType type,
        QpCap cap,
        boolean signalAll,
        CompletionRing sendCq,
        @Nullable CompletionRing receiveCq,
        @Nullable SharedReceiveRing shared) {}
