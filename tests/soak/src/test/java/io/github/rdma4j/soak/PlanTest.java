// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static List<String> steps(long seed, List<Fault> kinds, int count) {
        Plan plan = new Plan(seed, kinds);
        List<String> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Plan.Step step = plan.next();
            steps.add(step.number() + " " + step.fault().name() + " "
                    + step.injection().details());
        }
        return steps;
    }

    @Test
    void theSameSeedGivesTheSameFaults() {
        assertThat(steps(42, Faults.all(), 200)).isEqualTo(steps(42, Faults.all(), 200));
    }

    @Test
    void anotherSeedGivesOtherFaults() {
        assertThat(steps(42, Faults.all(), 20)).isNotEqualTo(steps(43, Faults.all(), 20));
    }

    @Test
    void everyKindOccursOnceInARound() {
        Plan plan = new Plan(7, Faults.all());
        for (int round = 0; round < 5; round++) {
            List<Fault> seen = new ArrayList<>();
            for (int i = 0; i < Faults.all().size(); i++) {
                seen.add(plan.next().fault());
            }
            assertThat(seen).containsExactlyInAnyOrderElementsOf(Faults.all());
        }
    }
}
