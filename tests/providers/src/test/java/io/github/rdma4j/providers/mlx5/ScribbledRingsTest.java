// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx5;

import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQp;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.ScribbledQueues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;

/** Rings of ConnectX: entries, links of shared receive queues, and doorbell records. */
class ScribbledRingsTest extends ScribbledQueues {
    private static final int SEND = 10;

    ScribbledRingsTest() {
        super(Mlx5Driver.ROCE, ByteOrder.BIG_ENDIAN, Cqe64.BYTES);
    }

    @Override
    protected boolean hasSharedReceives() {
        return true;
    }

    @Override
    protected List<ByteBuffer> memoryOfCq(CapturedRequest request, int entries) {
        return List.of(request.memory(0));
    }

    @Override
    protected ByteBuffer memoryOfQp(CapturedRequest request) {
        return request.memory(0);
    }

    @Override
    protected void name(ByteBuffer ring, int at, Waiting request, Random random) {
        int counter = random.nextInt(6) == 0 ? random.nextInt() : request.near();
        ring.putInt(at + Cqe64.SRQN_UIDX, request.made().getInt(CreateQp.UIDX))
                .putInt(at + Cqe64.SOP_DROP_QPN, SEND << 24)
                .putShort(at + Cqe64.WQE_COUNTER, (short) counter)
                .put(at + Cqe64.OP_OWN, (byte) random.nextInt());
    }
}
