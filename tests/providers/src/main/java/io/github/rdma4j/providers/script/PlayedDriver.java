// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A device of a driver as one player uses it: the driver's replies to the commands, the same as in the driver's C file, and the
 * queues as the device sees them.
 */
public interface PlayedDriver {
    /** The data path in Java. */
    Provider provider();

    /** The device for the provider. */
    ScriptDevice device();

    /** What the library writes of {@code request}, which makes a context. */
    default byte[] contextRequest(byte[] request) {
        return request;
    }

    /** What the driver adds to the reply that makes a context. */
    ByteBuffer contextReply();

    /** The number of the first packet of the queue pairs to come. */
    default void firstPacket(int psn) {}

    /** What the driver adds to the reply that makes a protection domain. */
    default void answerPd(ByteBuffer reply) {}

    /** What the driver adds to the reply that makes a completion queue of {@code entries}. */
    void answerCq(ByteBuffer reply, int number, int entries);

    /** What the driver adds to the reply that makes a queue pair. */
    void answerQp(ByteBuffer reply, int number, QpCap asked);

    /** The number of receives that the kernel grants for {@code asked}. */
    default int grantedReceives(int asked) {
        return asked;
    }

    /** What the driver adds to the reply that makes a shared receive queue of {@code receives} of {@code pieces} pieces. */
    default void answerSrq(ByteBuffer reply, int number, int receives, int pieces) {
        throw new UnsupportedOperationException("shared receive queues");
    }

    /** What the driver adds to the reply that makes an address handle. */
    default void answerAh(ByteBuffer reply) {
        throw new UnsupportedOperationException("address handles");
    }

    /** The path of a queue pair, as the program in C sets it before the queue pair is to carry out requests. */
    default void connect(QueueRings rings, int number) {}

    /** A completion queue; numbers of the process's own become zeros in {@code request}. */
    PlayedQueues.Completions completions(CompletionRing ring, CapturedRequest request, int number);

    /** A queue pair; numbers of the process's own become zeros in {@code request}. */
    PlayedQueues.Pair pair(PairParts parts, CapturedRequest request);

    /** A shared receive queue. */
    default PlayedQueues.Shared shared(SharedReceiveRing ring, CapturedRequest request, int number) {
        throw new UnsupportedOperationException("shared receive queues");
    }

    /**
     * What a queue pair is made of.
     *
     * @param rings the rings of the provider
     * @param number the number of the queue pair
     * @param type the type of the queue pair
     * @param cap what the kernel was asked for
     * @param completions the completion queue of sends, and that of receives unless the queue pair has none
     */
    record PairParts(
            QueueRings rings, int number, QueuePairType type, QpCap cap, List<PlayedQueues.Completions> completions) {}
}
