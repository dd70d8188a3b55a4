// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueMemory;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.kernel.MalformedReplyException;
import org.jspecify.annotations.Nullable;

/** The rings of a queue pair, in one piece of memory. */
public class ConnectxQueueRings implements QueueRings {
    private final QueueMemory memory;
    private final QueueNumbers<ConnectxQueueRings> numbers;
    private final Ends ends;
    private final ConnectxSendRing send;
    private final @Nullable ConnectxReceiveRing receive;

    /**
     * The properties that a completion of the queue pair must match.
     *
     * @param number the number of the queue pair in completions: the user index, or the queue pair number
     * @param qpn the queue pair number
     * @param datagram true if receives report their source
     * @param sendCq the completion queue of sends
     * @param receiveCq the completion queue of receives; null for an XRC initiator
     * @param shared the shared receive queue; null if the queue pair has its own receive queue
     */
    public record Ends(
            int number,
            int qpn,
            boolean datagram,
            CompletionRing sendCq,
            @Nullable CompletionRing receiveCq,
            @Nullable ConnectxSharedReceiveRing shared) {
        /** The ends of a queue pair that the kernel has created. */
        public static Ends of(int number, int qpn, QueuePairRequest request) {
            return new Ends(
                    number,
                    qpn,
                    request.type().isDatagram(),
                    request.sendCq(),
                    request.receiveCq(),
                    (ConnectxSharedReceiveRing) request.shared());
        }
    }

    /** Creates the rings of a queue pair that is not yet registered in {@code numbers}. */
    public ConnectxQueueRings(
            QueueMemory memory,
            QueueNumbers<ConnectxQueueRings> numbers,
            Ends ends,
            ConnectxSendRing send,
            @Nullable ConnectxReceiveRing receive) {
        this.memory = memory;
        this.numbers = numbers;
        this.ends = ends;
        this.send = send;
        this.receive = receive;
    }

    /** Registers the rings in the queues of the context. */
    public final ConnectxQueueRings register() throws MalformedReplyException {
        numbers.table().put(ends.number(), this);
        return this;
    }

    final Ends ends() {
        return ends;
    }

    @Override
    public final ConnectxSendRing send() {
        return send;
    }

    @Override
    public final @Nullable ConnectxReceiveRing receive() {
        return receive;
    }

    @Override
    public final void reset() {
        send.reset();
        if (receive != null) {
            receive.reset();
        }
        if (memory.hasRecord()) {
            memory.slot().releaseInt(0, 0);
            memory.slot().releaseInt(1, 0);
        }
    }

    @Override
    public final void retire(boolean destroyed) {
        if (destroyed) {
            numbers.remove(ends.number(), this);
        }
        memory.release(destroyed);
    }
}
