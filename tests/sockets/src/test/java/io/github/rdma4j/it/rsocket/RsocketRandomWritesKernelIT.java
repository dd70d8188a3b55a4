// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RandomWrites;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.rsocket.RsocketOptions;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.support.Nightly;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** Writes of random sizes in both directions at once, on soft-RoCE, with checksums. */
@RequiresKernel
class RsocketRandomWritesKernelIT {
    private static final int A_MILLION = 1_000_000;

    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void twentyThousandWrites(long seed) throws Exception {
        arrive(seed, 20_000, RsocketOptions.DEFAULT);
    }

    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void smallBuffersAndQueues(long seed) throws Exception {
        arrive(
                seed,
                3000,
                RsocketOptions.builder()
                        .sendBuffer(4096)
                        .receiveBuffer(4096)
                        .sendQueue(16)
                        .receiveQueue(16)
                        .build());
    }

    @Nightly // takes minutes
    @Timeout(1800)
    @ParameterizedTest
    @ArgumentsSource(NewSeed.class)
    void aMillionWrites(long seed) throws Exception {
        arrive(seed, A_MILLION, RsocketOptions.DEFAULT);
    }

    private static void arrive(long seed, int writes, RsocketOptions options) throws Exception {
        try (RsocketListener listener = RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0), 1, options);
                RsocketChannel client = RsocketChannel.connect(listener.localAddress(), options);
                RsocketChannel server = listener.accept(Await.LIMIT).orElseThrow()) {
            Await.Running<RandomWrites.Sum> there = Await.inThread(() -> RandomWrites.write(client, seed, writes));
            Await.Running<RandomWrites.Sum> back = Await.inThread(() -> RandomWrites.write(server, seed + 1, writes));
            Await.Running<RandomWrites.Sum> answer = Await.inThread(() -> RandomWrites.read(client, seed + 2));
            RandomWrites.Sum read = RandomWrites.read(server, seed + 3);
            assertThat(read).isEqualTo(there.result());
            assertThat(answer.result()).isEqualTo(back.result());
        }
    }
}
