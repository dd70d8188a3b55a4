// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx4;

import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateCq;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.ScribbledQueues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;

/** Rings of ConnectX-3: entries, links of shared receive queues, sizes of send elements, and the record of a completion queue. */
class ScribbledMlx4RingsTest extends ScribbledQueues {
    private static final int ENTRY = 64;

    ScribbledMlx4RingsTest() {
        super(Mlx4Driver.ROCE, ByteOrder.BIG_ENDIAN, ENTRY);
    }

    @Override
    protected boolean hasSharedReceives() {
        return true;
    }

    @Override
    protected List<ByteBuffer> memoryOfCq(CapturedRequest request, int entries) {
        return List.of(
                request.memory(CreateCq.BUF_ADDR),
                request.memory(CreateCq.DB_ADDR).slice(0, Long.BYTES));
    }

    @Override
    protected ByteBuffer memoryOfQp(CapturedRequest request) {
        return request.memory(0);
    }

    @Override
    protected void name(ByteBuffer ring, int at, Waiting request, Random random) {
        int entry = at + ENTRY - CqeBytes.BYTES;
        int operation =
                request.sent() ? CqeCodes.MLX4_CQE_IS_SEND_MASK | Codes.OPCODE_SEND : CqeCodes.MLX4_RECV_OPCODE_SEND;
        int owner = random.nextInt() & CqeCodes.MLX4_CQE_OWNER_MASK;
        boolean any = random.nextInt(8) == 0;
        ring.putInt(entry + CqeBytes.VLAN_MY_QPN, request.qpn())
                .putShort(entry + CqeBytes.WQE_INDEX, (short) (request.near() - 1))
                .put(entry + CqeBytes.OWNER_SR_OPCODE, (byte) (any ? random.nextInt() : owner | operation));
    }
}
