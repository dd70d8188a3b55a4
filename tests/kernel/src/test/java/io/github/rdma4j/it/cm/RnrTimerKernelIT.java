// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.it.support.CmSides;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The time that a peer waits after a message for which there was no receive: a value of each side's queue pair. */
@RequiresKernel
class RnrTimerKernelIT {
    private CmSides sides;

    @BeforeEach
    void open() throws RdmaException {
        sides = CmSides.open();
    }

    @AfterEach
    void close() throws RdmaException {
        sides.close();
    }

    private static ConnectionParameters timer(int code) {
        return ConnectionParameters.builder().minRnrTimer(code).build();
    }

    private static int timerOf(CmId id) throws RdmaException {
        return id.qp().orElseThrow().query().minRnrTimer();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachSideHasItsOwn(boolean shared) throws Exception {
        CmId client = sides.routed();
        client.createQp(QueuePairOptions.DEFAULT);
        client.connect(timer(12));
        CmId server =
                Events.expect(sides.servers(), CmEventType.CONNECT_REQUEST).id();
        if (shared) {
            server.createSrq(SharedReceiveQueueOptions.DEFAULT);
        }
        server.createQp(QueuePairOptions.DEFAULT);
        server.accept(timer(14));
        Events.expect(sides.clients(), CmEventType.ESTABLISHED);
        Events.expect(sides.servers(), CmEventType.ESTABLISHED);
        assertThat(timerOf(client)).isEqualTo(12);
        assertThat(timerOf(server)).isEqualTo(14);
    }
}
