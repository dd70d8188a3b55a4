// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.cm.loop.LoopOptions;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.verbs.MemoryRegion;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Many connects at once between two ends on one loop, which is busy for longer than the time limit of a step. */
@RequiresKernel
class CmEventLoopStormKernelIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration STEP = Duration.ofSeconds(1);
    private static final int BUFFER = 64 * 1024;

    private final List<Throwable> reported = new CopyOnWriteArrayList<>();

    private static ConnectOptions options() {
        return ConnectOptions.builder()
                .timeout(STEP)
                .prepare(connection -> {
                    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
                    MemoryRegion region = connection.own(connection.queues().registerMessages(buffer));
                    connection.queues().postReceive(1, region, 0, BUFFER);
                })
                .build();
    }

    @Test
    void everyConnectionOfAStormIsEstablished() throws Exception {
        assertAllEstablished(200);
    }

    @Test
    @Nightly
    void everyConnectionOfALargerStormIsEstablished() throws Exception {
        assertAllEstablished(600);
    }

    private void assertAllEstablished(int connections) throws Exception {
        List<CompletableFuture<CmConnection>> servers = new CopyOnWriteArrayList<>();
        LoopOptions loopOptions = LoopOptions.builder()
                .uncaught((thread, failure) -> reported.add(failure))
                .build();
        try (CmEventLoop loop = CmEventLoop.open(loopOptions)) {
            CmListener listener = loop.listen(
                    new InetSocketAddress(Rxe.IPV4, 0), connections, request -> servers.add(request.accept(options())));
            List<CompletableFuture<CmConnection>> clients = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                clients.add(loop.connect(listener.address(), options()));
            }
            for (CompletableFuture<CmConnection> client : clients) {
                assertThat(loop.await(client, LIMIT).id().state()).isEqualTo(CmState.ESTABLISHED);
            }
            assertThat(servers).hasSize(connections);
            for (CompletableFuture<CmConnection> server : servers) {
                assertThat(loop.await(server, LIMIT).id().state()).isEqualTo(CmState.ESTABLISHED);
            }
        }
        assertThat(reported).isEmpty();
    }
}
