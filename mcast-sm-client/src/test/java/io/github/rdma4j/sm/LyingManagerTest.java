// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Rounds;
import io.github.rdma4j.support.Seeds;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Random programs against a subnet manager that loses, delays, repeats, refuses, redirects and forgets, on a clock that
 * jumps from event to event. What must hold whatever it does is in {@link RandomProgram}.
 */
@Timeout(600)
class LyingManagerTest {
    private static final int PROGRAMS = Math.max(20, Rounds.COUNT / 5);

    @ParameterizedTest
    @Seeds
    void requestsAndMembershipsOutliveIt(long seed) {
        Cases.run(seed, PROGRAMS, random -> new RandomProgram(random).run());
    }
}
