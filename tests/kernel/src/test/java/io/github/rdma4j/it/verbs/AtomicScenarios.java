// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Atomic operations on memory of the peer. */
abstract class AtomicScenarios extends DeviceScenarios {
    private static final long ADDED = 0x0102_0304_0506_0708L;

    private static long number(End of, int at) {
        return of.buffer().slice(at, Long.BYTES).order(ByteOrder.nativeOrder()).getLong();
    }

    private static SendWorkRequest into(End client, int at) {
        return new SendWorkRequest(1).signaled().add(client.region(), at, Long.BYTES);
    }

    /** The operations cross the end of the ring, and stand behind others in its chunks. */
    @Test
    void changesANumberOfThePeer() throws Exception {
        try (Ends ends = connect(setup -> setup)) {
            End client = ends.client();
            End server = ends.server();
            long address = server.region().iova() + 64;
            int key = server.region().rkey();
            server.buffer().putLong(64, 0);
            long expected = 0;
            for (int i = 0; i < 400; i++) {
                client.qp().postSend(into(client, 0).fetchAndAdd(address, key, ADDED));
                assertThat(client.success().opcode()).isEqualTo(WorkCompletionOpcode.FETCH_ADD);
                assertThat(number(client, 0)).isEqualTo(expected);
                expected += ADDED;
                client.qp().postSend(into(client, 8).compareAndSwap(address, key, expected, i));
                assertThat(client.success().opcode()).isEqualTo(WorkCompletionOpcode.COMP_SWAP);
                assertThat(number(client, 8)).isEqualTo(expected);
                client.qp().postSend(into(client, 16).compareAndSwap(address, key, expected, -1));
                client.success();
                assertThat(number(client, 16)).isEqualTo(i);
                expected = i;
                client.qp().postSend(into(client, 24).rdmaRead(address, key));
                client.success();
                assertThat(number(client, 24)).isEqualTo(i);
            }
        }
    }
}
