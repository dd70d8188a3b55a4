// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Plays every quick script once more and compares with what was recorded on this kernel series. What waits for the
 * kernel's timers or takes the device away is recorded only: see {@link BehaviourRecorder}.
 */
class BehaviourKernelIT {
    private static final Observations RECORDED = Observations.recorded(Kernels.running());

    @BeforeAll
    static void setUpNetwork() throws Exception {
        Net.setUp();
    }

    @AfterAll
    static void tearDownNetwork() throws Exception {
        Net.tearDown();
    }

    @TestFactory
    Stream<DynamicTest> theKernelStillDoesWhatWasRecorded() {
        return Behaviours.ofPace(Pace.QUICK).stream().map(b -> DynamicTest.dynamicTest(b.toString(), () -> compare(b)));
    }

    private static void compare(Behaviour behaviour) {
        String recorded = RECORDED.of(behaviour.key())
                .orElseThrow(() -> new AssertionError("nothing recorded of " + behaviour + " on " + Kernels.running()));
        assertThat(Stage.play(behaviour)).isEqualTo(recorded);
    }
}
