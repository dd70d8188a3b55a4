// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.StubDevice;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The rings of a queue pair of vmw_pvrdma and of its completion queue, over memory that no device looks at. */
class PvrdmaTestRings {
    static final int PAGE = 4096;
    static final int TABLE = 1024;
    static final int CQN = 5;
    static final int HANDLE = 7;
    static final int QPN = 0x1234;
    static final int SLOTS = 4;
    static final int SEND_SLOT = 128;
    static final int RECEIVE_SLOT = 64;

    final StubDevice device = new StubDevice();
    final DriverContext context;
    final CompletionRing completions;
    final QueueRings queues;
    /** The bytes of the completion queue, the send queue and the receive queue. */
    final ByteBuffer completionMemory;

    final ByteBuffer sends;
    final ByteBuffer receives;

    PvrdmaTestRings() throws Exception {
        context = new PvrdmaProvider().context(device).finish(reply(TABLE));
        Creation<Created.Cq, CompletionRing> cq = context.completionQueue(context.entriesToRequest(3));
        completionMemory = device.last();
        completions = cq.finish(new Created.Cq(1, SLOTS, reply(CQN)));
        QpCap cap = context.capacitiesToRequest(new QpCap(3, 4, 2, 2, 0));
        Creation<Created.Qp, QueueRings> qp =
                context.queuePair(new QueuePairRequest(QueuePairType.RC, cap, false, completions, completions, null));
        receives = device.last();
        queues = qp.finish(new Created.Qp(1, QPN, cap, reply(QPN, HANDLE)));
        sends = device.memory(1);
    }

    /** What the driver has replied. */
    static ByteBuffer reply(int... numbers) {
        ByteBuffer reply = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
        for (int i = 0; i < numbers.length; i++) {
            reply.putInt(i * Integer.BYTES, numbers[i]);
        }
        return reply;
    }
}
