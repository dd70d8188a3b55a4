// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.connectx.DeviceParts;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateCqResp;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.StubDevice;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A user index is taken before the memory of the queue, and given back if there is no memory. */
class Mlx5ContextTest {
    private static final int ENTRIES = 63;

    private final StubDevice device = new StubDevice();
    private final UserIndexes indexes = new UserIndexes();
    private final Mlx5Context context = new Mlx5Context(new Mlx5Parts(
            DeviceParts.of(device, indexes::release),
            new Mlx5Doorbells(1, device.mapDoorbells(0, device.pageSize(), "doorbells")),
            1,
            true,
            new QueueLimits(1024, 512, 32_768, 32_768, 32_768),
            indexes));
    private CompletionRing completions;

    @BeforeEach
    void makeCompletionQueue() throws RdmaException {
        ByteBuffer reply = ByteBuffer.allocate(CreateCqResp.BYTES);
        completions = context.completionQueue(ENTRIES).finish(new Created.Cq(1, ENTRIES, reply));
        device.exhaustMemory();
    }

    @Test
    void aQueuePairWithoutMemoryKeepsNoUserIndex() {
        QpCap cap = new QpCap(1, 1, 1, 1, 0);
        QueuePairRequest request = new QueuePairRequest(QueuePairType.RC, cap, false, completions, completions, null);

        assertThatThrownBy(() -> context.queuePair(request)).hasMessageContaining("no memory");
        assertThat(indexes.take()).isZero();
    }

    @Test
    void aSharedReceiveQueueWithoutMemoryKeepsNoUserIndex() {
        assertThatThrownBy(() -> context.xrcReceiveQueue(1, 1, completions)).hasMessageContaining("no memory");
        assertThat(indexes.take()).isZero();
    }
}
