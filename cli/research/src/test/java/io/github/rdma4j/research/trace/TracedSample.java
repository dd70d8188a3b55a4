// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.cm.AddressInfo;
import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.testbed.junit.SoftRoce;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Tests for {@link TestTraceIT}, which runs them with a launcher of its own. */
@SoftRoce
class TracedSample {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static AddressInfo address(boolean passive) throws Exception {
        AddressInfo.Hints hints = AddressInfo.Hints.builder().passive(passive).build();
        return AddressInfo.resolve("10.77.0.1", "7471", hints).get(0);
    }

    private static void serve(BlockingCmId listener) {
        try (BlockingCmId request = listener.getRequest(LIMIT)) {
            request.accept(ConnectionParameters.DEFAULT, LIMIT);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @RepeatedTest(2)
    void connects() throws Exception {
        try (BlockingCmId listener = address(true).createEndpoint(QueuePairOptions.DEFAULT, LIMIT)) {
            listener.listen(1);
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> serve(listener));
            try (BlockingCmId client = address(false).createEndpoint(QueuePairOptions.DEFAULT, LIMIT)) {
                client.connect(ConnectionParameters.DEFAULT, LIMIT);
                client.disconnect(LIMIT);
                served.get();
            }
        }
    }

    @Test
    void usesNoConnections() {}
}
