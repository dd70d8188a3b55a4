// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Rounds;
import io.github.rdma4j.support.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random programs against a subnet manager that loses, delays, repeats, refuses, redirects and forgets, on a clock that
 * jumps from event to event. What must hold whatever it does is in {@link RandomProgram}.
 */
@Timeout(600)
class LyingManagerTest {
    private static final int PROGRAMS = Math.max(20, Rounds.COUNT / 10);

    @ParameterizedTest
    @Seeds
    void requestsAndMembershipsOutliveIt(long seed) {
        Cases.run(seed, PROGRAMS, random -> new RandomProgram(random).run());
    }

    /**
     * They have failed: an interrupted join, groups that did not take turns, states that were half forgotten, a manager that
     * denied a membership which it had, a state whose leave had been refused twice beside a state that was joined later,
     * a join that the port of a former manager seemed to refuse, a join that was refused and executed when it was repeated.
     */
    @ParameterizedTest
    @ValueSource(
            longs = {
                6657417722538202786L,
                5075421815859417284L,
                -4969881249395002716L,
                559148923410936247L,
                -7110092918453152677L,
                2278489004783542644L,
                7932880877105525903L,
                1460381519701045222L
            })
    void programsThatHaveFailed(long seed) throws Exception {
        new RandomProgram(new Random(seed)).run();
    }
}
