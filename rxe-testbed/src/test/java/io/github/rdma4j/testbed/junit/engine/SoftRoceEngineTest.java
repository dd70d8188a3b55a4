// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SoftRoceEngineTest {
    @AfterAll
    static void endGuests() throws InterruptedException {
        LocalRun.WORKERS.closeIdle();
    }

    private static LocalRun run(Class<?>... classes) {
        return LocalRun.of(request -> {
            for (Class<?> type : classes) {
                request.selectors(selectClass(type));
            }
            return request;
        });
    }

    @Test
    void runsAClassInTheGuestAndNotHere() {
        LocalRun run = run(Samples.Passing.class);
        assertThat(run.events)
                .containsExactlyInAnyOrder(
                        "started a class",
                        "started one test",
                        "successful one test",
                        "started another()",
                        "successful another()",
                        "successful a class");
    }
}
