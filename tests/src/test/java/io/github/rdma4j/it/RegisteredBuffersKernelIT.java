// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.DispatchedPairs.Pair;
import io.github.rdma4j.verbs.CompletionDispatcher;
import io.github.rdma4j.verbs.DispatcherOptions;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Pooled buffers of Netty on soft-RoCE. */
@RequiresKernel
class RegisteredBuffersKernelIT extends RegisteredBuffersScenarios {
    @SuppressWarnings("NullAway.Init") // each test opens it first
    private DispatchedPairs pairs;

    @Override
    void openDevice(DispatcherOptions options) throws Exception {
        pairs = new DispatchedPairs(Rxe.IPV4, options);
    }

    @Override
    CompletionDispatcher dispatcher() {
        return pairs.dispatcher();
    }

    @Override
    ProtectionDomain pd() {
        return pairs.pd();
    }

    @Override
    Pair connect(UnaryOperator<QueuePairOptions.Builder> change) throws Exception {
        return pairs.connect(change);
    }

    @Override
    void closeDevice() throws Exception {
        pairs.close();
    }

    @Test
    void servesManyThreads() throws Exception {
        List<Await.Running<Integer>> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Pair pair = connectWithPieces();
            int seed = i;
            threads.add(Await.inThread(() -> {
                for (int round = 0; round < 50; round++) {
                    ByteBuf message = random(1 + 997 * round % 9000, 100L * seed + round);
                    ByteBuf into = allocate(message.readableBytes());
                    move(pair.client(), message, pair.server(), into);
                    assertThat(into).isEqualTo(message);
                    message.release();
                    into.release();
                }
                return seed;
            }));
        }
        for (int i = 0; i < 4; i++) {
            assertThat(threads.get(i).result()).isEqualTo(i);
        }
    }
}
