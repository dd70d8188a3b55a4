// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import org.junit.jupiter.api.Test;

/** Completion queues whose size changes while there are completions. */
abstract class ResizingScenarios extends DeviceScenarios {
    private static void write(End from, End to, int wrId) throws Exception {
        from.qp()
                .postSend(new SendWorkRequest(1)
                        .wrId(wrId)
                        .signaled()
                        .rdmaWrite(to.region().iova(), to.region().rkey())
                        .add(from.region(), 0, 8));
    }

    /** Completions in the ring from before come first; each ring takes as many laps as there are. */
    @Test
    void losesNoCompletion() throws Exception {
        try (Ends ends = connect(setup -> setup.cqEntries(16))) {
            End client = ends.client();
            int expected = 0;
            int posted = 0;
            for (int size : new int[] {40, 12, 300, 12, 130, 12, 20}) {
                for (int i = 0; i < 5; i++) {
                    write(client, ends.server(), posted++);
                }
                client.cq().resize(size);
                assertThat(client.cq().capacity()).isGreaterThanOrEqualTo(size);
                for (int i = 0; i < 3; i++) {
                    write(client, ends.server(), posted++);
                }
                while (expected < posted) {
                    assertThat(client.success().wrId()).isEqualTo(expected++);
                }
                for (int i = 0; i < 70; i++) {
                    for (int j = 0; j < 10; j++) {
                        write(client, ends.server(), posted++);
                    }
                    while (expected < posted) {
                        assertThat(client.success().wrId()).isEqualTo(expected++);
                    }
                }
            }
            assertThat(client.cq().poll(WorkCompletion.array(1))).isZero();
        }
    }
}
